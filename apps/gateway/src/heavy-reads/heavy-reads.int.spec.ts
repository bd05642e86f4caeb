import { request as httpRequest } from 'node:http';
import { type Database, type Executor, rows } from '@postrider/persistence';
import { type HeavyCaller, HeavyReads } from './heavy-reads.service';
import { startTestGateway, type TestAnswer, type TestGateway, testConfig } from '../testing/test-gateway';
import { untilTrue } from '@postrider/testing';
import { AppModule } from '../app.module';
import { createApp } from '../create-app';

const RULES = { segment: { all: [{ name: 'tags', operator: 'equal_to', value: 'chess' }] } };

let gateway: TestGateway;
let token: string;
let other: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  token = await gateway.application('shop');
  other = await gateway.application('news');
});

afterAll(() => gateway.close());

const post = (path: string, body: object, as = token): Promise<TestAnswer> =>
  gateway.request('POST', path, { body, headers: { authorization: `Bearer ${as}` } });
const dryRun = (as = token): Promise<TestAnswer> =>
  post('/api/push/byQuery?dryRun=true', { content: 'hi', ...RULES }, as);
const send = (as = token): Promise<TestAnswer> => post('/api/push/byQuery', { content: 'hi', ...RULES }, as);

/** Locks the installations against all readers until it is released. */
async function lockInstallations(): Promise<() => Promise<void>> {
  const runner = gateway.database.createQueryRunner();
  await runner.query('BEGIN');
  await runner.query('LOCK TABLE installations IN ACCESS EXCLUSIVE MODE');
  return async () => {
    await runner.query('ROLLBACK');
    await runner.release();
  };
}

/** The number of heavy reads that wait for that lock. */
async function waitingReads(): Promise<number> {
  const [row] = await rows<{ n: number }>(
    gateway.database,
    `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
       AND application_name = 'postrider heavy reads'`,
  );
  return row?.n ?? 0;
}

function untilWaiting(count: number): Promise<void> {
  return untilTrue(async () => (await waitingReads()) === count);
}

describe('heavy reads', () => {
  it('are two at a time for an application: others hear when to come again, and named sends do not notice', async () => {
    const release = await lockInstallations();
    const running = [send(), send()];
    await untilWaiting(2);
    const third = await dryRun();
    expect(third).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } });
    expect(Number(third.headers['retry-after'])).toBeGreaterThan(0);
    // Another application's two run all the same.
    const others = [send(other), send(other)];
    await untilWaiting(4);
    await release();
    expect((await Promise.all([...running, ...others])).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await send()).status).toBe(200);
  });

  it('end with 422 after their time, and so does the work of PostgreSQL', async () => {
    const release = await lockInstallations();
    try {
      expect(await dryRun()).toMatchObject({ status: 422, body: { error: { code: 'AUDIENCE_TOO_COSTLY' } } });
      expect(await waitingReads()).toBe(0);
    } finally {
      await release();
    }
  });

  it('end with their caller', async () => {
    const accepted = (): Promise<unknown[]> => rows(gateway.database, 'SELECT id FROM messages');
    const before = await accepted();
    const release = await lockInstallations();
    try {
      const url = new URL('/api/push/byQuery', gateway.address);
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
      const leaving = httpRequest(url, { method: 'POST', headers }).on('error', () => undefined);
      leaving.end(JSON.stringify({ content: 'hi', ...RULES }));
      await untilWaiting(1);
      leaving.destroy();
      await untilWaiting(0);
    } finally {
      await release();
    }
    expect((await send()).status).toBe(200);
    expect(await accepted()).toHaveLength(before.length + 1);
  });

  it.each([
    ['count of a segment', '/api/segments/count', { ...RULES, users: true }],
    ['explanation of a segment', '/api/segments/explain', RULES],
    ['dry run', '/api/push/byQuery?dryRun=true', { content: 'hi', ...RULES }],
  ])('end in PostgreSQL when nobody waits for the %s any more', async (_, path, body) => {
    const release = await lockInstallations();
    try {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
      const leaving = httpRequest(new URL(path, gateway.address), { method: 'POST', headers });
      leaving.on('error', () => undefined).end(JSON.stringify(body));
      await untilWaiting(1);
      leaving.destroy();
      await untilWaiting(0);
    } finally {
      await release();
    }
  });

  it('are two of an application among several gateways', async () => {
    const config = testConfig(gateway.databaseUrl);
    const second = await createApp(AppModule.forConfig(config), config);
    await second.init();
    const release = await lockInstallations();
    try {
      const caller: HeavyCaller = { appId: 'shop', gone: new AbortController().signal };
      const read = (executor: Executor): Promise<unknown> => rows(executor, 'SELECT count(*) FROM installations');
      const limits = { limitMs: 250_000, patienceMs: 300 };
      const [one, two] = [gateway.app.get(HeavyReads), second.get(HeavyReads)];
      const running = [one.run(caller, limits, read), two.run(caller, limits, read)];
      await untilWaiting(2);
      await expect(one.run(caller, limits, read)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
      const patient = two.run(caller, { ...limits, patienceMs: 250_000 }, read);
      await release();
      await expect(Promise.all([...running, patient])).resolves.toHaveLength(3);
    } finally {
      await second.close();
    }
  });

  it('that end between two statements begin no third', async () => {
    const reads = gateway.app.get(HeavyReads);
    const gone = new AbortController();
    const begun: Database[] = [];
    const reading = reads.run({ appId: 'shop', gone: gone.signal }, { limitMs: 250_000 }, async (executor) => {
      await rows(executor, 'SELECT 1');
      gone.abort();
      await rows(executor, 'SELECT count(*) FROM generate_series(1, 1000000000)');
      begun.push(gateway.database);
    });
    await expect(reading).rejects.toMatchObject({ code: 'AUDIENCE_TOO_COSTLY' });
    expect(begun).toEqual([]);
    // The connection is intact, and no late answer for it is on the way.
    const values = [];
    for (let round = 0; round < 20; round++)
      values.push(
        await reads.run({ appId: 'shop', gone: new AbortController().signal }, { limitMs: 250_000 }, (executor) =>
          rows(executor, 'SELECT count(*) FROM generate_series(1, 20000)'),
        ),
      );
    expect(values).toHaveLength(20);
  });
});
