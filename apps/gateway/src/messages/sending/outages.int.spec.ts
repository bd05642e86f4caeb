import { PartitionsRepository, rows } from '@postrider/persistence';
import { Secret } from '@postrider/platform';
import { JOBS_CLIENT, type JobsClient } from '@postrider/queues';
import { addDevice, configureVendor, openTcpGate, type TcpGate, untilTrue } from '@postrider/testing';
import { startTestGateway, type TestGateway } from '../../testing/test-gateway';

const BODY = { user: 'ada', content: 'Hello' };

describe('while PostgreSQL is away', () => {
  let gate: TcpGate;
  let gateway: TestGateway;
  let token: string;

  beforeAll(async () => {
    const server = new URL(process.env.POSTRIDER_TEST_PG ?? '');
    gate = await openTcpGate({ host: server.hostname, port: Number(server.port || 5432) });
    gateway = await startTestGateway((databaseUrl) => {
      const url = new URL(databaseUrl);
      url.hostname = '127.0.0.1';
      url.port = String(gate.port);
      return { databaseUrl: new Secret(url.toString()) };
    });
    token = await gateway.application('shop', ['send']);
  });

  afterAll(async () => {
    await gateway.close();
    await gate.shut();
  });

  it('a send is answered 503 with Retry-After and nothing of the inside, and works again afterwards', async () => {
    const send = () => gateway.request('POST', `/api/push/toUsers?access_token=${token}`, { body: BODY });
    expect(await send()).toMatchObject({ status: 200 });
    await gate.shut();
    const away = await send();
    expect(away).toMatchObject({
      status: 503,
      body: { error: { name: 'Unavailable', status: 503, code: 'UNAVAILABLE', message: expect.any(String) } },
    });
    expect(away.headers['retry-after']).toBe('5');
    expect(JSON.stringify(away.body)).not.toMatch(/127\.0\.0\.1|ECONN|SELECT|INSERT|\.ts|\.js/);
    expect(await gateway.request('POST', '/api/push/toUsers?access_token=pr_unseen', { body: BODY })).toMatchObject({
      status: 503,
    });
    expect(await gateway.request('GET', '/health/ready')).toMatchObject({ status: 503, body: { ready: false } });
    expect(await gateway.request('GET', '/health/live')).toMatchObject({ status: 200 });
    await gate.open();
    expect(await send()).toMatchObject({ status: 200 });
    expect(await rows(gateway.database, 'SELECT id FROM messages')).toHaveLength(2);
  });
});

describe('on a day that has no partition yet', () => {
  let gateway: TestGateway;
  beforeAll(async () => (gateway = await startTestGateway()));
  afterAll(() => gateway.close());

  it.each([
    ['named users', 'toUsers', BODY],
    ['a campaign', 'byQuery', { target: { city: 'Wien' }, content: 'Hello' }],
  ])('a send to %s is answered 503 with Retry-After, and works when the partition is made', async (_, path, body) => {
    const token = await gateway.application(path.toLowerCase(), ['send']);
    const send = () => gateway.request('POST', `/api/push/${path}?access_token=${token}`, { body });
    const days = await rows<{ name: string }>(
      gateway.database,
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'messages'::regclass`,
    );
    for (const { name } of days) await rows(gateway.database, `DROP TABLE ${name}`);
    const refused = await send();
    expect(refused).toMatchObject({ status: 503, body: { error: { code: 'UNAVAILABLE' } } });
    expect(refused.headers['retry-after']).toBe('5');
    expect(JSON.stringify(refused.body)).not.toMatch(/partition|messages/);
    await gateway.app.get(PartitionsRepository, { strict: false }).ensure(new Date(), 1);
    expect(await send()).toMatchObject({ status: 200 });
  });
});

describe('while Redis answers nothing', () => {
  it('sends are accepted as always and wait in the ledger, and no answer waits for Redis', async () => {
    const gate = await openTcpGate({ host: '127.0.0.1', port: 1 });
    await gate.shut();
    const gateway = await startTestGateway({ redisUrl: new Secret(`redis://127.0.0.1:${gate.port}`) });
    // Calls to Redis do not return until the end of the test: an answer that waits for them would not come either.
    const given: unknown[] = [];
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    jest.spyOn(gateway.app.get<JobsClient>(JOBS_CLIENT), 'enqueue').mockImplementation((_, payloads) => {
      given.push(...payloads);
      return ended;
    });
    const token = await gateway.application('shop', ['send']);
    await configureVendor(gateway.database, 'shop', 'fcm');
    await addDevice(gateway.database, { appId: 'shop', userId: 'ada' });
    const answer = await gateway.request('POST', `/api/push/toUsers?access_token=${token}`, { body: BODY });
    expect(answer).toMatchObject({ status: 200, body: { count: 1 } });
    await untilTrue(() => given.length === 1);
    expect(await rows(gateway.database, 'SELECT state FROM pages')).toEqual([{ state: 'waiting' }]);
    expect(await gateway.request('GET', '/health/ready')).toMatchObject({ status: 200 });
    end();
    await gateway.close();
  });
});
