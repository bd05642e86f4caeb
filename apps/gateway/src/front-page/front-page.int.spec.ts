import { startTestGateway, type TestGateway } from '../testing/test-gateway';

describe('the front page', () => {
  let gateway: TestGateway;

  afterEach(() => gateway.close());

  const ask = (host?: string): ReturnType<TestGateway['request']> =>
    gateway.request('GET', '/', { headers: { accept: 'text/html', ...(host && { host }) } });

  it('leads to pages that exist, and lets nothing run', async () => {
    gateway = await startTestGateway({ publicDocs: true });
    const answer = await ask();
    expect(answer.status).toBe(200);
    expect(String(answer.headers['content-security-policy'])).toMatch(/^default-src 'none'; style-src 'sha256-/);
    const links = [...String(answer.body).matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href ?? '');
    expect(links).toEqual(['/panel', '/guide/', '/docs', '/health/ready']);
    for (const href of links) {
      const { status } = await gateway.request('GET', href, { headers: { accept: 'text/html' } });
      expect([href, status]).not.toEqual([href, 404]);
    }
  });

  it('is not shown to those who follow tracker links', async () => {
    gateway = await startTestGateway({ trackerUrl: 'https://go.example', publicUrl: 'https://push.example' });
    expect((await ask('go.example')).status).toBe(404);
    expect((await ask('push.example')).status).toBe(200);
  });
});
