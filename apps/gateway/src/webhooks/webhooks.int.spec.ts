import { rows, WebhookEventsRepository } from '@postrider/persistence';
import { SecretBox } from '@postrider/platform';
import { whileHolding } from '@postrider/testing';
import { startTestGateway, type TestAnswer, TEST_ADMIN_TOKEN, type TestGateway } from '../testing/test-gateway';

describe('webhooks', () => {
  let gateway: TestGateway;
  let server: string;
  let stranger: string;

  const call = (method: string, path: string, body?: unknown, token = server): Promise<TestAnswer> =>
    gateway.request(method, `/api/webhooks${path}`, { body, headers: { 'x-access-token': token } });
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test looks into whatever came
  const make = async (events = ['message.done'], token = server): Promise<any> =>
    (await call('POST', '', { url: 'https://example.com/hook', events }, token)).body;
  const paths = ({ body }: TestAnswer): string[] => body.error.details.map(({ path }: { path: string }) => path);

  beforeAll(async () => {
    gateway = await startTestGateway();
    server = await gateway.application('shop');
    stranger = await gateway.application('other');
  });

  afterEach(() => rows(gateway.database, 'DELETE FROM webhooks'));
  afterAll(() => gateway.close());

  it('are made with a secret that is shown once, listed, changed and forgotten', async () => {
    const made = await call('POST', '', { url: 'https://example.com/hook', events: ['message.done', 'message.done'] });
    expect(made).toMatchObject({ status: 201, body: { events: ['message.done'], isEnabled: true, failures: 0 } });
    expect(made.body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const { secret, ...shown } = made.body;
    expect((await call('GET', `/${shown.id}`)).body).toEqual(shown);
    expect((await call('GET', '')).body).toEqual({ webhooks: [shown] });
    const dump = JSON.stringify(await rows(gateway.database, `SELECT *, encode(sealed, 'escape') FROM webhooks`));
    expect(dump).not.toContain(secret);
    const changed = await call('PATCH', `/${shown.id}`, { events: ['token.removed'], isEnabled: false });
    expect(changed).toMatchObject({
      status: 200,
      body: { events: ['token.removed'], isEnabled: false, url: 'https://example.com/hook' },
    });
    expect((await call('DELETE', `/${shown.id}`)).status).toBe(200);
    expect((await call('GET', `/${shown.id}`)).status).toBe(404);
  });

  it('are refused with every bad field named, and nowhere near this network', async () => {
    const bad = await call('POST', '', {
      url: 'ftp://example.com',
      events: ['nonsense'],
      secret: 'short',
      isEnabled: 7,
    });
    expect(bad.status).toBe(400);
    expect(paths(bad).sort()).toEqual(['events[0]', 'isEnabled', 'secret', 'url']);
    expect(paths(await call('POST', '', {})).sort()).toEqual(['events', 'url']);
    expect(paths(await call('POST', '', { url: 'https://example.com', events: [] }))).toEqual(['events']);
    const refused = [
      'https://127.0.0.1/',
      'https://[::1]/',
      'https://10.1.2.3/',
      'https://169.254.169.254/',
      'https://0x7f.1/',
    ]
      .concat([
        'https://localhost/',
        'http://example.com/',
        'https://user:pass@example.com/',
        'https://[::ffff:7f00:1]/',
      ])
      .concat([`https://example.com/${'x'.repeat(2_048)}`]);
    for (const url of refused) {
      const answer = await call('POST', '', { url, events: ['message.done'] });
      expect({ url, status: answer.status, paths: paths(answer) }).toEqual({ url, status: 400, paths: ['url'] });
    }
    expect(
      paths(await call('PATCH', `/${(await make()).id}`, { url: 'https://10.0.0.1/', secret: 'x' })).sort(),
    ).toEqual(['secret', 'url']);
  });

  it('are ten at most, however many are made at once', async () => {
    const made = await Promise.all(
      Array.from({ length: 14 }, () => call('POST', '', { url: 'https://example.com/', events: ['message.done'] })),
    );
    expect(made.filter(({ status }) => status === 201)).toHaveLength(10);
    expect(made.filter(({ status }) => status === 409)).toHaveLength(4);
  });

  it('belong to their application, and only a server token or the operator sees them', async () => {
    const { id } = await make();
    const reader = await gateway.token('shop', ['read', 'send', 'devices']);
    for (const [method, path] of [
      ['GET', `/${id}`],
      ['PATCH', `/${id}`],
      ['DELETE', `/${id}`],
      ['POST', `/${id}/test`],
      ['POST', `/${id}/rotate-secret`],
      ['GET', `/${id}/deliveries`],
    ] as const) {
      expect((await call(method, path, method === 'PATCH' ? {} : undefined, stranger)).status).toBe(404);
      expect((await call(method, path, undefined, reader)).status).toBe(403);
    }
    expect((await call('GET', '', undefined, stranger)).body).toEqual({ webhooks: [] });
    const asked = await gateway.request('GET', `/api/webhooks/${id}?appId=shop`, {
      headers: { authorization: `Bearer ${TEST_ADMIN_TOKEN}` },
    });
    expect(asked).toMatchObject({ status: 200, body: { id } });
  });

  it('take another secret, and say until when the former one signs beside it', async () => {
    const { id, secret } = await make();
    const rotatedAfter = Date.now();
    const rotated = await call('POST', `/${id}/rotate-secret`);
    expect(rotated).toMatchObject({ status: 200, body: { id } });
    expect(rotated.body.secret).not.toBe(secret);
    expect(Date.parse(rotated.body.formerValidUntil)).toBeGreaterThan(rotatedAfter + 86_000_000);
    const own = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
    expect((await call('POST', `/${id}/rotate-secret`, { secret: own })).body.secret).toBe(own);
    expect((await call('GET', `/${id}`)).body).not.toHaveProperty('secret');
  });

  it('keep both secrets of two people who take another one at once', async () => {
    const { id } = await make();
    const rotated = await whileHolding(
      gateway.database,
      (held) => held.query(`SELECT FROM webhooks WHERE webhook_id = $1 FOR UPDATE`, [id]),
      () => Promise.all([1, 2].map(() => call('POST', `/${id}/rotate-secret`))),
      2,
    );
    const [webhook] = await rows<{ sealed: Buffer }>(gateway.database, 'SELECT sealed FROM webhooks');
    const box = gateway.app.get(SecretBox, { strict: false });
    const kept = box.open<{ secret: string }[]>(webhook?.sealed as Buffer, `webhook:shop:${id}`);
    expect(kept.map(({ secret }) => secret).sort()).toEqual(rotated.map(({ body }) => body.secret as string).sort());
  });

  it('show what was sent page by page and by state, and send it again', async () => {
    const { id } = await make(['promo.low_stock']);
    await new WebhookEventsRepository(gateway.database).record(
      gateway.database,
      Array.from({ length: 5 }, (_, n) => ({ appId: 'shop', type: 'promo.low_stock' as const, data: { n } })),
    );
    const first = await call('GET', `/${id}/deliveries?limit=3`);
    const second = await call('GET', `/${id}/deliveries?limit=3&cursor=${first.body.nextCursor}`);
    expect(first.body.deliveries).toHaveLength(3);
    expect(second.body.deliveries).toHaveLength(2);
    expect(second.body.nextCursor).toBeNull();
    const ids = [...first.body.deliveries, ...second.body.deliveries].map(({ eventId }) => eventId as string);
    expect(new Set(ids).size).toBe(5);
    await rows(
      gateway.database,
      `UPDATE webhook_events SET state = 'failed', wake_at = NULL, ended_at = now(), tries = 11,
         attempts = '[{"at":"2026-01-01T00:00:00.000Z","statusCode":500,"durationMs":7,"error":"no"}]'
       WHERE event_id = $1`,
      [ids[0]],
    );
    const failed = await call('GET', `/${id}/deliveries?state=failed`);
    expect(failed.body.deliveries).toMatchObject([
      { eventId: ids[0], state: 'failed', attempt: 11, statusCode: 500, durationMs: 7, error: 'no', nextTryAt: null },
    ]);
    const again = await call('POST', `/${id}/deliveries/${ids[0]}/redeliver`);
    expect(again).toMatchObject({ status: 200, body: { eventId: ids[0], state: 'waiting', attempt: 0 } });
    expect((await call('POST', `/${id}/deliveries/${id}/redeliver`)).status).toBe(404);
    expect((await call('GET', `/${id}/deliveries?state=nonsense&cursor=x&limit=0`)).status).toBe(400);
    for (const [time, event] of [
      ['2026-13-45 25:61:61+00', id],
      ['2026-02-01 00:00:00+99', id],
      ['2026-02-01 00:00:00+00', '-'.repeat(36)],
    ]) {
      const cursor = Buffer.from(`${time} ${event}`).toString('base64url');
      expect((await call('GET', `/${id}/deliveries?cursor=${cursor}`)).status).toBe(400);
    }
    const test = await call('POST', `/${id}/test`);
    expect(test.status).toBe(200);
    expect((await call('GET', `/${id}/deliveries?limit=1`)).body.deliveries).toMatchObject([
      { eventId: test.body.eventId, type: 'webhook.test', state: 'waiting' },
    ]);
  });

  it('say when a waiting event is tried next: not before a pause ends, and never while the webhook is off', async () => {
    const { id } = await make(['promo.low_stock']);
    await call('POST', `/${id}/test`);
    const nextTry = async (): Promise<string | null> =>
      (await call('GET', `/${id}/deliveries`)).body.deliveries[0].nextTryAt;
    await rows(gateway.database, `UPDATE webhook_events SET wake_at = '2030-01-01T10:00:00Z'`);
    expect(await nextTry()).toBe('2030-01-01T10:00:00.000Z');
    await rows(gateway.database, `UPDATE webhooks SET held_until = '2030-01-01T10:05:00Z'`);
    expect(await nextTry()).toBe('2030-01-01T10:05:00.000Z');
    await rows(gateway.database, `UPDATE webhooks SET held_until = '2030-01-01T09:00:00Z'`);
    expect(await nextTry()).toBe('2030-01-01T10:00:00.000Z');
    await call('PATCH', `/${id}`, { isEnabled: false });
    expect(await nextTry()).toBeNull();
  });
});
