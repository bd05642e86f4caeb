import { DAY_MS, midnightOf } from '@postrider/domain';
import { newId } from '@postrider/platform';
import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import type { Database } from '../database/executor';
import { PartitionsRepository } from './partitions.repository';

describe('the days of the ledger', () => {
  let throwAway: ThrowAwayDatabase;
  let database: Database;
  let partitions: PartitionsRepository;

  beforeEach(async () => {
    throwAway = await createThrowAwayDatabase();
    database = throwAway.dataSource;
    partitions = new PartitionsRepository(database);
  });
  afterEach(() => throwAway.drop());

  const inAMonth = new Date(Date.now() + 40 * DAY_MS);

  function acceptAt(at: Date): Promise<unknown> {
    return database.query(
      `INSERT INTO messages (app_id, id, kind, is_campaign, lane, audience, channel, content, count, resolve_ceiling,
         accepted_at, expires_at)
       VALUES ('shop', $1, 'users', false, 'campaign', '{}', 'public/default', '{}', 0, 0, $2, $2)`,
      [newId(at), at],
    );
  }

  it('are made ahead of time, by whoever comes first', async () => {
    await expect(acceptAt(inAMonth)).rejects.toThrow(/partition/);
    const made = (await Promise.all([1, 2, 3].map(() => partitions.ensure(inAMonth)))).flat();
    expect(new Set(made).size).toBe(9 * 16);
    await acceptAt(inAMonth);
    await acceptAt(new Date(inAMonth.getTime() + 14 * DAY_MS));
    await acceptAt(new Date(inAMonth.getTime() - DAY_MS));
    expect(await partitions.ensure(inAMonth)).toEqual([]);
  });

  it('are made for every table of a day that has messages, whoever made that day', async () => {
    const day = dayOf(inAMonth);
    await partitions.ensure(inAMonth, 0);
    await database.query(`DROP TABLE delivery_packs_${day}, reported_events_${day}`);
    const later = new Date(inAMonth.getTime() + 20 * DAY_MS);
    expect((await partitions.ensure(later, 0)).filter((name) => name.endsWith(day))).toEqual([`delivery_packs_${day}`]);
  });

  it('are counted ahead of a day, up to the first that is missing', async () => {
    await partitions.ensure(inAMonth, 5);
    const nameOf = (days: number): string => dayOf(new Date(inAMonth.getTime() + days * DAY_MS));
    await database.query(`DROP TABLE pages_${nameOf(3)}`);
    const counted = await partitions.countDaysAhead(inAMonth);
    expect(counted).toHaveLength(9);
    expect(counted.filter(({ days }) => days !== 5)).toEqual([{ table: 'pages', days: 2 }]);
  });

  it('are alike, whenever they were made', async () => {
    await partitions.ensure(inAMonth);
    const shapes: { name: string; indexes: string[] }[] = await database.query(
      `SELECT regexp_replace(c.relname, '_.*', '') AS name,
         array_agg(regexp_replace(x.indexdef, '\\w+_\\d{8}\\w*', '', 'g') ORDER BY 1) AS indexes
       FROM pg_inherits h JOIN pg_class c ON c.oid = h.inhrelid JOIN pg_indexes x ON x.tablename = c.relname
       WHERE c.relkind = 'r' GROUP BY c.relname, 1`,
    );
    const distinct = new Set(shapes.map(({ name, indexes }) => JSON.stringify([name, indexes.sort()])));
    expect(distinct.size).toBe(9);
    const [storage] = await database.query(
      `SELECT count(DISTINCT attstorage)::int AS kinds FROM pg_attribute
       WHERE attname = 'device_ids' AND attrelid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = 'pages'::regclass)`,
    );
    expect(storage).toEqual({ kinds: 1 });
  });

  it('are made while a long read of the ledger goes on', async () => {
    const reader = database.createQueryRunner();
    await reader.startTransaction();
    await reader.query(`SELECT count(*) FROM messages`);
    expect(await partitions.ensure(inAMonth)).toHaveLength(144);
    await reader.rollbackTransaction();
    await reader.release();
  });

  it('are dropped when nothing in them is younger than what is kept, except while somebody reads them', async () => {
    // No day of the migrations is near, so the test may run at midnight.
    await partitions.ensure(inAMonth, 0);
    await acceptAt(inAMonth);
    const names = (): Promise<string[]> =>
      database
        .query(`SELECT c.relname AS n FROM pg_inherits h JOIN pg_class c ON c.oid = h.inhrelid WHERE c.relkind = 'r'`)
        .then((found: { n: string }[]) => found.map(({ n }) => n).sort());
    const midnight = midnightOf(inAMonth);
    const dayBefore = new Date(midnight.getTime() - DAY_MS);
    await partitions.dropOld(dayBefore);
    await partitions.dropShortLived(dayBefore);
    const before = await names();
    const tables = [
      'messages',
      'pages',
      'delivery_packs',
      'deliveries',
      'message_counts',
      'delivery_clicks',
      'conversions',
      'inbox_marks',
    ];
    const old = tables.map((table) => `${table}_${dayOf(dayBefore)}`);
    const droppedWhileReading = async (table: string): Promise<string[]> => {
      const reader = database.createQueryRunner();
      await reader.startTransaction();
      await reader.query(`SELECT count(*) FROM ${table}_${dayOf(dayBefore)}`);
      const dropped = await partitions.dropOld(midnight);
      await reader.rollbackTransaction();
      await reader.release();
      return dropped;
    };

    // While its messages are there, the rest of the day is there too; and a delivery never without what is counted of it.
    expect(await droppedWhileReading('messages')).toEqual([]);
    expect(await droppedWhileReading('deliveries')).toEqual(old.slice(0, 3));
    expect(await partitions.dropOld(midnight)).toEqual(old.slice(3));
    expect(await names()).toEqual(before.filter((name) => !old.includes(name)));
    expect(await database.query(`SELECT count(*)::int AS n FROM messages`)).toEqual([{ n: 1 }]);
    expect(await partitions.dropShortLived(midnight)).toEqual([`reported_events_${dayOf(dayBefore)}`]);
  });

  it('are kept while a message of theirs was moved and leaves, or left, later', async () => {
    const now = Date.now();
    const old = new Date(now - 40 * DAY_MS);
    await partitions.ensure(old, 0);
    await acceptAt(old);
    const before = new Date(now - 30 * DAY_MS);
    const moveTo = (moment: number): Promise<unknown> =>
      database.query(`UPDATE messages SET send_at = $1 WHERE id = $2`, [new Date(moment), movedId]);
    const [{ id: movedId }] = await database.query(`SELECT id FROM messages`);
    for (const moment of [now + 20 * DAY_MS, now - 29 * DAY_MS]) {
      await moveTo(moment);
      expect(await partitions.dropOld(before)).not.toContain(`messages_${dayOf(old)}`);
      expect(await database.query(`SELECT 1 FROM messages`)).toHaveLength(1);
    }
    await moveTo(now - 31 * DAY_MS);
    expect(await partitions.dropOld(before)).toEqual(
      expect.arrayContaining([`messages_${dayOf(old)}`, `deliveries_${dayOf(old)}`]),
    );
  });
});

function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10).replaceAll('-', '');
}
