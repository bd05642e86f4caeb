import { DAY_MS } from '@postrider/domain';
import { type Database, DATABASE, rows } from '@postrider/persistence';
import { addDevice, configureVendor, TestClock } from '@postrider/testing';
import { startTestGateway, type TestAnswer, type TestGateway } from '../../testing/test-gateway';

describe('Idempotency-Key', () => {
  let gateway: TestGateway;
  let shop: string;
  const clock = new TestClock();

  beforeAll(async () => {
    gateway = await startTestGateway({}, clock);
    shop = await gateway.application('shop', ['send']);
    await configureVendor(gateway.database, 'shop', 'fcm');
    await addDevice(gateway.database, { appId: 'shop', userId: 'ada' });
  });

  afterAll(() => gateway.close());
  beforeEach(() => rows(gateway.database, 'DELETE FROM messages'));

  function send(key: string, body: unknown, { token = shop, endpoint = 'toUsers' } = {}): Promise<TestAnswer> {
    const headers = { 'idempotency-key': key };
    return gateway.request('POST', `/api/push/${endpoint}?access_token=${token}`, { body, headers });
  }

  async function messages(): Promise<number> {
    return (await rows(gateway.database, 'SELECT id FROM messages')).length;
  }

  it('gives the stored answer to the same request and sends once', async () => {
    const body = { user: 'ada', content: 'Hello', data: { a: 1, b: 2 } };
    const first = await send('order-17', body);
    const again = await send('order-17', '{"data":{"b":2,"a":1}, "content":"Hello", "user":"ada"}');
    expect(first).toMatchObject({ status: 200, body: { count: 1 } });
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(again).toMatchObject({ status: 200, body: { count: 1 }, headers: { 'idempotent-replayed': 'true' } });
    expect(again.headers['x-message-id']).toBe(first.headers['x-message-id']);
    expect(await messages()).toBe(1);
  });

  it.each([
    ['a common statement', 'toUsers', { user: 'ada', content: 'Hello' }, 'query'],
    ['a transaction', 'byQuery', { target: { deviceType: 'android' }, content: 'Hello' }, 'transaction'],
  ] as const)('sends once when PostgreSQL’s answer to the end of %s is lost', async (name, endpoint, body, method) => {
    const database = gateway.app.get<Database>(DATABASE);
    const really = database[method].bind(database) as (...call: unknown[]) => Promise<unknown>;
    const lost = jest.spyOn(database, method as 'query').mockImplementation(async (...call: unknown[]) => {
      const answer = await really(...call);
      const isSend = method === 'transaction' || JSON.stringify(call[0]).includes('idempotency_keys AS i');
      if (isSend) throw new Error('Connection terminated unexpectedly');
      return answer;
    });
    const first = await send(name, body, { endpoint });
    lost.mockRestore();
    expect(first).toMatchObject({ status: 503, body: { error: { code: 'UNAVAILABLE' } } });
    expect(await messages()).toBe(1);
    const again = await send(name, body, { endpoint });
    expect(again).toMatchObject({ status: 200, body: { count: 1 }, headers: { 'idempotent-replayed': 'true' } });
    expect(await messages()).toBe(1);
  });

  it('gives the batch of an array again', async () => {
    const body = [
      { user: 'ada', content: 'One' },
      { user: 'ada', content: 'Two' },
    ];
    const [first, again] = [await send('batch', body), await send('batch', body)];
    expect(again).toMatchObject({ body: { count: 2 }, headers: { 'x-batch-id': first.headers['x-batch-id'] } });
    expect(await messages()).toBe(2);
  });

  it('refuses another body, or another endpoint, under a used key', async () => {
    await send('order-18', { user: 'ada', content: 'Hello' });
    for (const answer of [
      await send('order-18', { user: 'ada', content: 'Good-bye' }),
      await send('order-18', { user: 'ada', content: 'Hello' }, { endpoint: 'notifyUsers' }),
    ]) {
      expect(answer).toMatchObject({ status: 422, body: { error: { code: 'IDEMPOTENCY_KEY_REUSED', status: 422 } } });
    }
    expect(await messages()).toBe(1);
  });

  it('sends once however many try at the same moment: the others hear 409 or the stored answer', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => send('race', { user: 'ada', content: 'Hello' })),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(0);
    expect(statuses.every((status) => status === 200 || status === 409)).toBe(true);
    const fresh = answers.filter(
      ({ status, headers }) => status === 200 && headers['idempotent-replayed'] === undefined,
    );
    expect(fresh).toHaveLength(1);
    expect(await messages()).toBe(1);
  });

  it('answers 409 while the first request still runs', async () => {
    const runner = gateway.database.createQueryRunner();
    await runner.startTransaction();
    await runner.query(`SELECT pg_advisory_xact_lock(hashtextextended('shop' || chr(10) || 'slow', 0))`);
    expect(await send('slow', { user: 'ada', content: 'Hello' })).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT' } },
    });
    await runner.rollbackTransaction();
    await runner.release();
    expect(await send('slow', { user: 'ada', content: 'Hello' })).toMatchObject({ status: 200 });
  });

  it('keeps nothing of a request that was refused, so that it may be corrected under the same key', async () => {
    expect(await send('oops', { user: 'ada' })).toMatchObject({ status: 400 });
    expect(await send('oops', { user: 'ada', content: 'Hello' })).toMatchObject({ status: 200, body: { count: 1 } });
  });

  it('belongs to one application', async () => {
    const bank = await gateway.application('bank', ['send']);
    await send('mine', { user: 'ada', content: 'Hello' });
    const other = await send('mine', { user: 'ada', content: 'Something else' }, { token: bank });
    expect(other).toMatchObject({ status: 200, body: { count: 0 } });
  });

  it('is free again after 24 hours', async () => {
    const first = await send('daily', { user: 'ada', content: 'Monday' });
    clock.advance(86_400_001);
    const next = await send('daily', { user: 'ada', content: 'Tuesday' });
    expect(next).toMatchObject({ status: 200, body: { count: 1 } });
    expect(next.headers['x-message-id']).not.toBe(first.headers['x-message-id']);
  });

  it.each(['', 'x'.repeat(256), 'tab\there'])('must be 1 to 255 printable characters: %j', async (key) => {
    expect(await send(key, { user: 'ada', content: 'Hello' })).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'Idempotency-Key' }] } },
    });
  });
});

it('of a message far ahead needs one connection at a time: many such requests do not wait for each other', async () => {
  const gateway = await startTestGateway({ databasePoolSize: 1 });
  const shop = await gateway.application('shop', ['send']);
  const sendAt = new Date(Date.now() + 20 * DAY_MS).toISOString();
  const sent = await gateway.request('POST', `/api/push/toUsers?access_token=${shop}`, {
    body: { user: 'ada', content: 'Happy birthday', sendAt },
    headers: { 'idempotency-key': 'birthday' },
  });
  expect(sent).toMatchObject({ status: 200, body: { count: 0 } });
  expect(await rows(gateway.database, 'SELECT send_at FROM messages')).toEqual([{ send_at: new Date(sendAt) }]);
  await gateway.close();
});
