import { EraseUser } from '@postrider/maintenance';
import { type Database, rows } from '@postrider/persistence';
import { Secret } from '@postrider/platform';
import { configureVendor, openTcpGate, type TcpGate, tracesIn, untilTrue } from '@postrider/testing';
import { startTestGateway, type TestAnswer, type TestGateway } from '../testing/test-gateway';

/** The points at which the process of an erasure dies: at the first statement that needs this table. */
const PLACES = [
  'opted_out_numbers',
  'installations',
  'deliveries',
  'inbox_marks',
  'messages',
  'webhook_events',
  'users',
];

type Locker = ReturnType<Database['createQueryRunner']>;

describe('an erasure whose gateway dies', () => {
  let survivor: TestGateway;
  let gate: TcpGate;
  let dying: TestGateway;
  let server: string;

  const call = (method: string, path: string, body?: unknown, at = survivor): Promise<TestAnswer> =>
    at.request(method, `/api/${path}`, { body, headers: { 'x-access-token': server } });

  beforeAll(async () => {
    survivor = await startTestGateway();
    server = await survivor.application('shop');
    await configureVendor(survivor.database, 'shop', 'fcm');
    const url = new URL(survivor.databaseUrl);
    gate = await openTcpGate({ host: url.hostname, port: Number(url.port || 5432) });
    [url.hostname, url.port] = ['127.0.0.1', String(gate.port)];
    dying = await startTestGateway({ databaseUrl: new Secret(url.toString()) });
  });

  afterAll(async () => {
    await dying.close();
    await gate.shut();
    await survivor.close();
  });

  const prepare = async (userId: string): Promise<void> => {
    const device = { userId, deviceType: 'android', deviceToken: `token-${userId}` };
    expect((await call('POST', 'installations', device)).status).toBe(200);
    await call('POST', 'push/toUsers', { user: userId, content: `for ${userId}`, clientId: `c-${userId}` });
    await call('POST', 'push/toUsers', { users: [userId, 'stays'], content: 'for two' });
    await rows(
      survivor.database,
      `WITH settled AS (UPDATE pages SET state = 'finished', wake_at = NULL)
       INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor, vendor_message_id)
       SELECT 'shop', m.id, i.id, 'sent', 2, 'fcm', 'v-' || i.user_id FROM installations i
       JOIN messages m ON i.user_id = ANY (m.user_ids) ON CONFLICT DO NOTHING`,
      [],
    );
  };

  /** Runs `work` while nobody else can read or write the table. */
  const withTableLocked = async (table: string, work: (locker: Locker) => Promise<void>): Promise<void> => {
    const locker = survivor.database.createQueryRunner();
    try {
      await locker.startTransaction();
      await locker.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
      await work(locker);
    } finally {
      await locker.rollbackTransaction();
      await locker.release();
    }
  };
  const waitsFor = async (locker: Locker, table: string): Promise<boolean> => {
    const waiting = (await locker.query(
      `SELECT FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
       WHERE NOT l.granted AND (c.relname = $1 OR c.relname LIKE $1 || '%')
         AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      [table],
    )) as unknown[];
    return waiting.length > 0;
  };
  /** What the audience worker does every second (`ResumeErasures`). */
  const resume = (): Promise<boolean> =>
    survivor.app.get(EraseUser, { strict: false }).resume(new AbortController().signal);
  const erasuresLeft = (): Promise<unknown[]> => rows(survivor.database, `SELECT 1 FROM erasures`, []);

  it.each(PLACES)('is gone on with by another, when it died at %s', async (table) => {
    const userId = `died-at-${table}`;
    await prepare(userId);
    await withTableLocked(table, async (locker) => {
      const answer = call('DELETE', `users/${userId}`, undefined, dying).catch(() => null);
      await untilTrue(() => waitsFor(locker, table));
      await gate.shut();
      expect((await answer)?.status).not.toBe(200);
    });
    // It does not count as dead yet, so nobody can write for the user meanwhile.
    expect(await erasuresLeft()).toHaveLength(1);
    await expect(
      rows(survivor.database, `INSERT INTO users (app_id, user_id) VALUES ('shop', $1)`, [userId]),
    ).rejects.toMatchObject({ code: 'PR001' });
    await rows(survivor.database, `UPDATE erasures SET ends_at = ends_at - interval '30 seconds'`, []);
    // The dead gateway's statement that waited for the table may go on for a moment. What it locks is left for the next
    // second.
    await untilTrue(resume);
    expect(await erasuresLeft()).toEqual([]);
    expect(await tracesIn(survivor.database, [userId])).toEqual([]);
    expect(await rows(survivor.database, `SELECT 1 FROM messages WHERE user_ids = ARRAY['stays']`, [])).not.toEqual([]);
    await gate.open();
    await untilTrue(async () => (await dying.request('GET', '/health/ready')).status === 200);
  });

  it('leaves nothing behind either if the gateway was not dead, and another has ended it before', async () => {
    const userId = 'slow-but-alive';
    await prepare(userId);
    let answer: Promise<TestAnswer> | undefined;
    let resumed: Promise<boolean> | undefined;
    await withTableLocked('messages', async (locker) => {
      answer = call('DELETE', `users/${userId}`, undefined, dying);
      await untilTrue(() => waitsFor(locker, 'messages'));
      await rows(survivor.database, `UPDATE erasures SET ends_at = ends_at - interval '30 seconds'`, []);
      resumed = resume();
      await untilTrue(async () => {
        const [row] = await rows<{ held: boolean }>(
          survivor.database,
          `SELECT ends_at > clock_timestamp() + interval '50 seconds' AS held FROM erasures`,
          [],
        );
        return row?.held === true;
      });
    });
    expect((await answer)?.status).toBe(200);
    expect(await resumed).toBe(true);
    expect(await erasuresLeft()).toEqual([]);
    expect(await tracesIn(survivor.database, [userId])).toEqual([]);
  });
});
