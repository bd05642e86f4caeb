import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { inSnapshot, inTransaction, rows } from './executor';
import { InboxRepository } from '../inbox/inbox.repository';
import { ErasedUsersRepository } from '../erasures/erased-users.repository';
import { ErasuresRepository } from '../erasures/erasures.repository';
import { MessagesRepository } from '../messages/messages.repository';
import { OverviewRepository } from '../overview/overview.repository';
import { dayOfMessage } from '../partitions/ledger-day';
import { sql } from '../sql';
import { StatisticsRepository } from '../statistics/statistics.repository';
import { UserHistoryRepository } from '../users/user-history.repository';
import { findLatePagesStatement } from '../waiting/reroute.statement';
import { WaitingDeliveriesRepository } from '../waiting/waiting-deliveries.repository';
import { newId } from '@postrider/platform';
import {
  preparedRows,
  recurringRows,
  rowsPlannedOnce,
  rowsPlannedOnceByIndex,
  rowsPlannedOnceByKeys,
} from './prepared-rows';

describe('preparedRows', () => {
  let database: ThrowAwayDatabase;

  beforeAll(async () => {
    database = await createThrowAwayDatabase(1);
  });

  afterAll(() => database.drop());

  it('gives what rows gives, from a statement that the connection prepares once', async () => {
    const sql = 'SELECT $1::integer + 1 AS next';
    for (let value = 0; value < 10; value++) {
      expect(await preparedRows(database.dataSource, sql, [value])).toEqual([{ next: value + 1 }]);
    }
    const prepared = `SELECT count(*)::integer AS count FROM pg_prepared_statements WHERE statement = $1`;
    expect(await rows(database.dataSource, prepared, [sql])).toEqual([{ count: 1 }]);
  });

  it('runs in the transaction that it is given, also where it returns what it wrote', async () => {
    const insert = `INSERT INTO applications (app_id, name, identity_key_sealed) VALUES ($1, $1, '') RETURNING app_id`;
    const attempt = inTransaction(database.dataSource, async (executor) => {
      expect(await preparedRows(executor, insert, ['shop'])).toEqual([{ app_id: 'shop' }]);
      throw new Error('never mind');
    });
    await expect(attempt).rejects.toThrow('never mind');
    expect(await rows(database.dataSource, 'SELECT app_id FROM applications')).toEqual([]);
  });

  it('fails as rows does', async () => {
    await expect(preparedRows(database.dataSource, 'SELECT 1 / $1::integer', [0])).rejects.toMatchObject({
      driverError: { code: '22012' },
    });
  });
});

describe('a statement that is planned once', () => {
  let database: ThrowAwayDatabase;

  beforeAll(async () => {
    database = await createThrowAwayDatabase(1);
  });

  afterAll(() => database.drop());

  const ways = [rowsPlannedOnce, rowsPlannedOnceByKeys, rowsPlannedOnceByIndex, recurringRows] as const;

  it.each(ways.map((way) => [way.name, way] as const))('is not compiled: %s', async (_, way) => {
    // As on a connection through a pooler, which has the settings of its server.
    await rows(database.dataSource, `SELECT set_config('jit', 'on', false)`);
    const jit = sql`SELECT current_setting('jit') AS jit`;
    expect(await way(database.dataSource, jit)).toEqual([{ jit: 'off' }]);
    expect(await rows(database.dataSource, jit)).toEqual([{ jit: 'on' }]);
  });
});

describe('recurringRows', () => {
  let database: ThrowAwayDatabase;

  beforeAll(async () => {
    database = await createThrowAwayDatabase(5);
  });

  afterAll(() => database.drop());

  it('has statements that begin together run on one connection, which plans each once, and goes on after one that fails', async () => {
    const run = (value: number): Promise<object[]> =>
      recurringRows(database.dataSource, sql`SELECT 6 / ${value}::integer AS quotient, pg_backend_pid() AS pid`);
    const outcomes = await Promise.allSettled([3, 2, 0, 1].map(run));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    const found = outcomes.flatMap((one) => (one.status === 'fulfilled' ? one.value : [])) as { pid: number }[];
    expect(found).toMatchObject([{ quotient: 2 }, { quotient: 3 }, { quotient: 6 }]);
    expect(found[1]?.pid).toBe(found[0]?.pid);
  });

  it('reads the index of a day whose pages PostgreSQL has not counted yet', async () => {
    const { name } = dayOfMessage(newId());
    const late = findLatePagesStatement({ routedBefore: new Date(), now: new Date(), limit: 5, pageSize: 5 }, 5);
    const lines = await recurringRows<{ 'QUERY PLAN': string }>(database.dataSource, sql`EXPLAIN ${late}`);
    const plan = lines.map((line) => line['QUERY PLAN']).join('\n');
    expect(plan).toContain(` on pages${name}`);
    expect(plan).not.toContain('Seq Scan');
  });
});

describe('rowsPlannedOnce', () => {
  let database: ThrowAwayDatabase;

  // A connection of its own for each test: it keeps what it planned.
  beforeEach(async () => {
    database = await createThrowAwayDatabase(1);
  });

  afterEach(() => database.drop());

  /**
   * How often the connection planned matching statements for given parameters, and how often it used the plan that it
   * keeps.
   */
  async function plansOf(like: string): Promise<{ custom: number; generic: number }[]> {
    const asked = `SELECT custom_plans::integer AS custom, generic_plans::integer AS generic FROM pg_prepared_statements
                   WHERE statement LIKE $1 ORDER BY statement`;
    return rows(database.dataSource, asked, [like]);
  }

  it('gives what rows gives, from the first plan of the connection, and leaves its other statements alone', async () => {
    for (const id of ['shop', 'news'])
      expect(await rowsPlannedOnce(database.dataSource, sql`SELECT ${id}::text AS id`)).toEqual([{ id }]);
    expect(await plansOf('SELECT $1::text AS id')).toEqual([{ custom: 0, generic: 2 }]);
    expect(await rows(database.dataSource, 'SHOW plan_cache_mode')).toEqual([{ plan_cache_mode: 'auto' }]);
  });

  it("has a user's messages and a device's inbox read from plans that are made once", async () => {
    const history = new UserHistoryRepository(database.dataSource);
    const inbox = new InboxRepository(database.dataSource);
    const place = { beforeMessageId: 'ffffffff-ffff-ffff-ffff-ffffffffffff', beforeDeviceId: '9', limit: 50 };
    for (const userId of ['maria', 'jan']) {
      const device = { appId: 'shop', deviceId: '1', userSince: new Date(), userId };
      expect(await history.listDeliveries('shop', userId, place)).toEqual([]);
      expect(await inbox.read(device, { beforeId: null, limit: 5, now: new Date() })).toEqual([]);
      expect(await inbox.countUnread(device, new Date())).toBe(0);
    }
    const twice = { custom: 0, generic: 2 };
    expect(await plansOf('%FROM deliveries%')).toEqual([twice, twice, twice]);
  });

  it('has what waits for the connections of an edge, or of a device, read from plans that are made once', async () => {
    const waiting = new WaitingDeliveriesRepository(database.dataSource);
    const fromId = '00000000-0000-0000-0000-000000000000';
    for (const deviceId of ['1', '2']) {
      expect(await waiting.findOnEdge(`edge ${deviceId}`, { knownPageIds: [] }, 10)).toEqual([]);
      const read = await waiting.readWaiting([{ appId: 'shop', deviceId, fromId }], 10);
      expect(read).toEqual({ waiting: [], cuts: [] });
      await waiting.keepUnsent([{ appId: 'shop', deviceId }], new Date());
    }
    const twice = { custom: 0, generic: 2 };
    expect(await plansOf('%AS "keptOnes"%')).toEqual([twice, twice]);
    expect(await plansOf('%oldest.message_id%')).toEqual([twice]);
  });

  it("has a campaign's statistics read from plans that are made once", async () => {
    const statistics = new StatisticsRepository(database.dataSource);
    const time = { since: new Date(0), until: new Date(), interval: 'day' } as const;
    for (const trackId of ['spring', 'autumn']) {
      await inSnapshot(database.dataSource, async (executor) => {
        const messages = { trackId };
        expect(await statistics.sumCampaign(executor, 'shop', trackId)).toMatchObject({ messages: 0 });
        expect(await statistics.sumByKind(executor, 'shop', messages, time)).toEqual([]);
        const place = { after: null, offset: 0, limit: 5 };
        const ranking = { messages, time, of: 'links' } as const;
        expect(await statistics.rankNames(executor, 'shop', ranking, place)).toEqual({ names: [], total: 0 });
      });
    }
    const twice = { custom: 0, generic: 2 };
    expect(await plansOf('%track_id = $%')).toEqual([twice, twice, twice]);
    expect(await rows(database.dataSource, 'SHOW plan_cache_mode')).toEqual([{ plan_cache_mode: 'auto' }]);
  });

  it('has what is stored about an erased user found by plans that are made once', async () => {
    const [erasures, users] = [
      new ErasuresRepository(database.dataSource),
      new ErasedUsersRepository(database.dataSource),
    ];
    const after = { webhookId: newId(), eventId: newId() };
    for (const userId of ['ben', 'eva']) {
      const user = { appId: 'shop', userId, erasureId: newId(), pattern: userId };
      expect(await erasures.findPagesInHand('shop', ['1'])).toEqual([]);
      expect(await erasures.endFallbacks('shop', userId, new Date())).toBe(false);
      expect(await users.eraseDeliveriesOf(user, ['1'], 10)).toBe(0);
      expect(await users.eraseFromMessages(user, { now: new Date(), limit: 10 })).toEqual({
        messages: 0,
        deliveries: 0,
      });
      expect(await users.eraseFromWebhookEvents(user, { after, limit: 10 })).toBeNull();
    }
    const twice = { custom: 0, generic: 2 };
    expect(await plansOf('%FROM pages%device_ids && %')).toEqual([twice]);
    expect(await plansOf('%fallbacks f %')).toEqual([twice, twice, twice]);
    expect(await plansOf('%delivery_packs k ON%')).toEqual([twice]);
    expect(await plansOf('%is_packed IS NULL LIMIT%')).toEqual([twice]);
    expect(await plansOf('SELECT id FROM messages%user_ids @>%')).toEqual([twice]);
    expect(await plansOf('%UPDATE webhook_events%')).toEqual([twice]);
  });

  it('has the throughput and the campaigns by day read from plans that are made once', async () => {
    const overview = new OverviewRepository(database.dataSource);
    for (const appId of ['shop', 'news']) {
      expect(await overview.readThroughput(appId, new Date(), 10)).toEqual([]);
      expect(await overview.sumCampaignDays(appId, new Date(0), new Date())).toEqual([]);
    }
    const twice = { custom: 0, generic: 2 };
    expect(await plansOf('%cardinality(device_ids)%AS devices%')).toEqual([twice]);
    expect(await plansOf('%AS campaigns%')).toEqual([twice]);
  });

  it('has the sends of a campaign, of a batch and of a sender listed from plans that are made once', async () => {
    const messages = new MessagesRepository(database.dataSource);
    const all = { isCampaign: null, trackId: null, clientId: null, userId: null, batchId: null, beforeId: null };
    for (const limit of [10, 20]) {
      for (const key of [{ trackId: 'spring' }, { clientId: 'order-1' }, { batchId: newId() }])
        expect(await messages.list('shop', { ...all, ...key }, { limit, now: new Date() })).toEqual([]);
    }
    const twice = { custom: 0, generic: 2 };
    expect(await plansOf('%m.winner_by AS "winnerBy"%')).toEqual([twice, twice, twice]);
  });
});
