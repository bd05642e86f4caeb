import { rows } from '@postrider/persistence';
import { Secret } from '@postrider/platform';
import { clockShowing } from '@postrider/testing';
import { startTestGateway, TEST_ADMIN_TOKEN, type TestAnswer, type TestGateway } from './testing/test-gateway';

/** How long a gateway caches what another one may change; docs/scale.md lists it. */
const REMEMBERED_MS = 4_000;

describe('two gateways on one database', () => {
  let one: TestGateway;
  let other: TestGateway;
  let now = Date.now();

  beforeAll(async () => {
    const clock = clockShowing(() => new Date(now));
    one = await startTestGateway({}, clock);
    other = await startTestGateway({ databaseUrl: new Secret(one.databaseUrl) }, clock);
  });
  afterAll(() => Promise.all([one.close(), other.close()]));
  // Nothing is cached from the test before.
  beforeEach(() => (now += 60_000));

  const as = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
  const admin = (gateway: TestGateway, method: string, url: string, body?: unknown): Promise<TestAnswer> =>
    gateway.request(method, url, { headers: as(TEST_ADMIN_TOKEN), body });
  const send = (
    gateway: TestGateway,
    token: string,
    headers: Record<string, string> = {},
    content = 'Hello',
  ): Promise<TestAnswer> =>
    gateway.request('POST', '/api/push/toUsers', {
      headers: { ...as(token), ...headers },
      body: { user: 'ada', content },
    });

  it('a token that was revoked at one is refused there at once, and at the other within four seconds', async () => {
    await admin(one, 'POST', '/api/admin/apps', { id: 'revoked', name: 'Revoked' });
    const made = await admin(one, 'POST', '/api/admin/apps/revoked/tokens', { name: 'backend', scopes: ['send'] });
    const { token, id } = made.body as { token: string; id: string };
    for (const gateway of [one, other]) expect((await send(gateway, token)).status).toBe(200);
    expect((await admin(one, 'DELETE', `/api/admin/apps/revoked/tokens/${id}`)).status).toBeLessThan(300);
    expect((await send(one, token)).status).toBe(401);
    now += REMEMBERED_MS + 1;
    expect((await send(other, token)).status).toBe(401);
  });

  it('a token that one has just made is good at the other, also when it was refused there a moment ago', async () => {
    await admin(one, 'POST', '/api/admin/apps', { id: 'made', name: 'Made' });
    const made = await admin(one, 'POST', '/api/admin/apps/made/tokens', { name: 'backend', scopes: ['send'] });
    expect((await send(other, (made.body as { token: string }).token)).status).toBe(200);
  });

  it('a request under one idempotency key is carried out once, whichever of them gets it', async () => {
    const token = await one.application('repeated', ['send']);
    const key = { 'idempotency-key': 'order-1' };
    const answers = await Promise.all([one, other, one, other].map((gateway) => send(gateway, token, key)));
    // A caller who repeats the request while the first one runs gets this error.
    const repeated = await send(other, token, key);
    const ids = [...answers.filter(({ status }) => status === 200), repeated].map(
      ({ headers }) => headers['x-message-id'],
    );
    expect(new Set(ids).size).toBe(1);
    expect(await rows(one.database, `SELECT FROM messages WHERE app_id = 'repeated'`)).toHaveLength(1);
  });

  it('each has its own budget of requests for an application', async () => {
    await admin(one, 'POST', '/api/admin/apps', { id: 'limited', name: 'Limited', requestsPerSecond: 2 });
    const token = await one.token('limited', ['send']);
    const refusedAt = async (gateway: TestGateway): Promise<number> => {
      for (let number = 1; ; number++) if ((await send(gateway, token)).status === 429) return number;
    };
    const first = await refusedAt(one);
    expect(await refusedAt(other)).toBe(first);
  });

  it('a limit that was changed at one holds there at once, and at the other within four seconds', async () => {
    await admin(one, 'POST', '/api/admin/apps', { id: 'changed', name: 'Changed' });
    const token = await one.token('changed', ['send']);
    const statuses = async (gateway: TestGateway): Promise<number[]> => {
      const answers: number[] = [];
      for (let number = 1; number <= 5; number++) answers.push((await send(gateway, token)).status);
      return answers;
    };
    for (const gateway of [one, other]) expect(await statuses(gateway)).not.toContain(429);
    await admin(one, 'PATCH', '/api/admin/apps/changed', { requestsPerSecond: 1 });
    expect(await statuses(one)).toContain(429);
    now += REMEMBERED_MS + 1;
    expect(await statuses(other)).toContain(429);
  });
});
