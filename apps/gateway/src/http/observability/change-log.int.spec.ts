import { LOGGER, type Logger } from '@postrider/platform';
import { untilTrue } from '@postrider/testing';
import { startTestGateway, TEST_ADMIN_TOKEN, type TestAnswer, type TestGateway } from '../../testing/test-gateway';
import { LOGGED_CHANGES } from './change-log';

describe('the log of changes', () => {
  let gateway: TestGateway;
  const lines: Record<string, unknown>[] = [];
  const changes = (): Record<string, unknown>[] => lines.filter(({ event }) => event === 'change.made');

  beforeAll(async () => {
    gateway = await startTestGateway();
    jest
      .spyOn(gateway.app.get<Logger>(LOGGER), 'info')
      .mockImplementation((facts: unknown, event?: string) => void lines.push({ ...(facts as object), event }));
  });
  afterAll(() => gateway.close());

  const asOperator = (method: string, path: string, body?: unknown): Promise<TestAnswer> =>
    gateway.request(method, path, { body, headers: { authorization: `Bearer ${TEST_ADMIN_TOKEN}` } });

  it('says who created, revoked, cancelled and erased, and never names a user or a token', async () => {
    await asOperator('POST', '/api/admin/apps', { id: 'shop', name: 'Shop' });
    const made = await asOperator('POST', '/api/admin/apps/shop/tokens', { name: 'backend', scopes: ['server'] });
    const spare = await asOperator('POST', '/api/admin/apps/shop/tokens', { name: 'spare', scopes: ['read'] });
    const asBackend = (method: string, path: string, body?: unknown): Promise<TestAnswer> =>
      gateway.request(method, path, { body, headers: { 'x-access-token': made.body.token } });
    const sent = await asBackend('POST', '/api/push/toUsers', {
      user: 'grace',
      content: 'x',
      sendAt: new Date(Date.now() + 3_600_000).toISOString(),
    });
    const messageId = String(sent.headers['x-message-id']);
    expect((await asBackend('POST', `/api/push/messages/${messageId}/cancel`)).status).toBe(200);
    expect((await asBackend('DELETE', '/apps/shop/api/users/grace-hopper')).status).toBeLessThan(300);
    await asOperator('DELETE', `/api/admin/apps/shop/tokens/${spare.body.id}`);

    await untilTrue(() => changes().length === 6);
    const byToken = { actor: 'token', tokenId: made.body.id, appId: 'shop' };
    expect(changes()).toMatchObject([
      { change: 'application.created', actor: 'operator', target: { id: 'shop' } },
      { change: 'token.created', actor: 'operator', target: { id: 'shop' } },
      { change: 'token.created', actor: 'operator', target: { id: 'shop' } },
      { change: 'message.cancelled', ...byToken, target: { id: messageId } },
      { change: 'user.erased', ...byToken, target: {} },
      { change: 'token.revoked', actor: 'operator', target: { id: 'shop', tokenId: spare.body.id } },
    ]);
    // A name with a letter that no hexadecimal id has.
    expect(JSON.stringify(lines)).not.toMatch(/grace|pr_/);
  });

  it('says nothing of what was refused', async () => {
    const before = changes().length;
    const answered = (): number => lines.filter(({ status }) => status === 404 || status === 401).length;
    const refused = answered();
    await asOperator('DELETE', '/api/admin/apps/nobody');
    await gateway.request('DELETE', '/api/admin/apps/shop');
    await untilTrue(() => answered() === refused + 2);
    expect(changes()).toHaveLength(before);
  });

  it('knows only requests that there are', async () => {
    const { body } = await asOperator('GET', '/api/openapi.json');
    const described = Object.entries(body.paths as Record<string, object>).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
    );
    expect(described).toEqual(expect.arrayContaining(Object.keys(LOGGED_CHANGES)));
  });
});
