import { startTestGateway, type TestAnswer, type TestGateway } from '../testing/test-gateway';

describe('the guide at the gateway', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startTestGateway();
  });

  afterAll(() => gateway.close());

  const page = (path: string): Promise<TestAnswer> =>
    gateway.request('GET', path, { headers: { accept: 'text/html,*/*' } });

  it('is open to everybody, with a slash behind its address or without', async () => {
    expect((await page('/guide')).status).toBe(200);
    const first = await page('/guide/');
    expect(first.status).toBe(200);
    expect(String(first.body)).toContain('<h1 id="what-postrider-is">');
    expect((await page('/guide/coming-from/onesignal.html')).status).toBe(200);
    expect((await page('/guide/search.json')).body.length).toBeGreaterThan(500);
  });

  it('runs scripts of its own only, and has none within its pages', async () => {
    const answer = await page('/guide/api.html');
    expect(String(answer.headers['content-security-policy'])).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self';/,
    );
    expect(String(answer.body)).not.toMatch(/<script(?![^>]*\ssrc=)|\sstyle=|<style/);
  });

  it('says to a browser in a page that there is none at an address, and to others as the API does', async () => {
    for (const path of ['/guide/nothing.html', '/guide/coming-from/', '/guide/api']) {
      const answer = await page(path);
      expect(answer).toMatchObject({ status: 404, headers: { 'content-type': 'text/html; charset=utf-8' } });
      expect(String(answer.body)).toContain('<h1 id="there-is-no-such-page">');
      expect(String(answer.headers['content-security-policy'])).toMatch(/^default-src 'none'/);
      expect(answer.headers['cache-control']).toBe('no-store');
    }
    const other = await gateway.request('GET', '/guide/nothing.html', { headers: { accept: '*/*' } });
    expect(other).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } });
  });

  it('has no page that does not exist, and nothing above its folder', async () => {
    for (const path of ['/guide/nothing.html', '/guide/..%2fpackage.json', '/guide/%2e%2e/package.json']) {
      const { status } = await page(path);
      expect([path, status]).toEqual([path, expect.any(Number)]);
      expect([400, 403, 404]).toContain(status);
    }
  });
});
