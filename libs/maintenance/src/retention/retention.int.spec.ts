import type { Type } from '@nestjs/common';
import { type Clock, DAY_MS } from '@postrider/domain';
import { type Database, PartitionsRepository } from '@postrider/persistence';
import { CLOCK, CONFIG, type Config, LedgerClock, LOGGER } from '@postrider/platform';
import { clockShowing, createShop, createDatabaseOfAllDays, type ThrowAwayDatabase } from '@postrider/testing';
import { pino } from 'pino';
import { DropPartitions, KeepPartitions, RETENTION_TASKS } from './retention.tasks';

describe('the retention of the ledger', () => {
  let throwAway: ThrowAwayDatabase;
  let database: Database;

  beforeEach(async () => {
    throwAway = await createDatabaseOfAllDays();
    database = throwAway.dataSource;
  });
  afterEach(() => throwAway.drop());

  const nameOf = (at: Date): string => at.toISOString().slice(0, 10).replaceAll('-', '');

  async function daysOf(table: string): Promise<string[]> {
    const found: { day: string }[] = await database.query(
      `SELECT right(c.relname, 8) AS day FROM pg_inherits h JOIN pg_class c ON c.oid = h.inhrelid
       WHERE h.inhparent = $1::regclass ORDER BY 1`,
      [table],
    );
    return found.map(({ day }) => day);
  }

  /** Runs each task once. @returns the lines that they log */
  async function runAll(clock: Clock): Promise<Record<string, unknown>[]> {
    const lines: Record<string, unknown>[] = [];
    const logger = pino({ messageKey: 'event' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const config = { retentionDays: 2, promoRetentionDays: 2 } as Config;
    const partitions = new PartitionsRepository(database);
    await new KeepPartitions(partitions, clock, logger).run();
    await new DropPartitions(partitions, config, clock, logger).run();
    const ours = new Map<unknown, unknown>([
      [CONFIG, config],
      [CLOCK, clock],
      [LOGGER, logger],
    ]);
    for (const { inject = [], useFactory } of RETENTION_TASKS) {
      const given = inject.map((token) => ours.get(token) ?? new (token as Type<object>)(database));
      const task = await useFactory(...given);
      expect([task.name, await task.run(new AbortController().signal)]).toEqual([task.name, false]);
    }
    return lines;
  }

  it('makes days to come, drops days past retention, and forgets idempotency keys', async () => {
    await createShop(database, 0);
    await database.query(
      `INSERT INTO idempotency_keys (app_id, key, request_hash, created_at)
       SELECT 'shop', 'key-' || n, '', now() FROM generate_series(1, 2500) n`,
    );
    const inTenDays = new Date(Date.now() + 10 * DAY_MS);
    await runAll(clockShowing(() => inTenDays));

    const kept = await daysOf('deliveries');
    expect(kept[0]).toBe(nameOf(new Date(inTenDays.getTime() - 2 * DAY_MS)));
    expect(kept.at(-1)).toBe(nameOf(new Date(inTenDays.getTime() + 14 * DAY_MS)));
    // Reported events are remembered for three days, however long messages are kept.
    const remembered = await daysOf('reported_events');
    expect(remembered[0]).toBe(nameOf(new Date(inTenDays.getTime() - 4 * DAY_MS)));
    expect(remembered.at(-1)).toBe(kept.at(-1));
    expect(await database.query(`SELECT 1 FROM idempotency_keys`)).toEqual([]);
  });

  it('deletes sessions of connections that ended a day ago, and none that may still be continued', async () => {
    const now = new Date('2026-03-03T12:00:00Z');
    await createShop(database, 0);
    await database.query(
      `INSERT INTO installations (app_id, installation_id, user_id)
       SELECT 'shop', gen_random_uuid(), name FROM unnest(ARRAY['ended', 'ended today', 'ends later', 'never ends']) name`,
    );
    await database.query(
      `INSERT INTO connection_sessions (app_id, id, user_id, expires_at)
       SELECT app_id, id, user_id, CASE user_id WHEN 'ended' THEN $1::timestamptz - interval '25 hours'
         WHEN 'ended today' THEN $1 - interval '23 hours' WHEN 'ends later' THEN $1 + interval '1 hour' END
       FROM installations`,
      [now],
    );
    const lines = await runAll(clockShowing(() => now));
    expect(await database.query(`SELECT user_id AS kept FROM connection_sessions ORDER BY 1`)).toEqual([
      { kept: 'ended today' },
      { kept: 'ends later' },
      { kept: 'never ends' },
    ]);
    expect(lines).toContainEqual(expect.objectContaining({ event: 'retention.deleted', sessions: 1 }));
  });

  it('deletes nothing while the clocks of PostgreSQL and of the machine differ by days', async () => {
    await createShop(database, 0);
    await database.query(
      `INSERT INTO idempotency_keys (app_id, key, request_hash, created_at) VALUES ('shop', 'key', '', now())`,
    );
    const before = await daysOf('deliveries');
    // Made before the run: the day may end meanwhile, and another one is made then.
    const lastDay = nameOf(new Date(Date.now() + 24 * DAY_MS));
    const clock = new LedgerClock();
    await clock.adjust(() => Promise.resolve(Date.now() + 10 * DAY_MS));
    const lines = await runAll(clock);
    expect(await daysOf('deliveries')).toEqual(expect.arrayContaining(before));
    expect(await daysOf('deliveries')).toContain(lastDay);
    expect(await database.query(`SELECT key FROM idempotency_keys`)).toEqual([{ key: 'key' }]);
    const told = lines.filter(({ event }) => event === 'retention.clocks-differ').map(({ task }) => task);
    expect(told).toHaveLength(1 + RETENTION_TASKS.length);
    expect(told).toContain('drop-partitions');
  });

  it('makes the days that a machine needs which wakes up after months, and tells of what was made and dropped only', async () => {
    const inMonths = new Date(Date.now() + 200 * DAY_MS);
    const told = await runAll(clockShowing(() => inMonths));
    expect(await daysOf('messages')).toContain(nameOf(inMonths));
    expect(told.map(({ event }) => event)).toEqual(expect.arrayContaining(['ledger.kept', 'ledger.dropped']));
    expect(await runAll(clockShowing(() => inMonths))).toEqual([]);
    // The days of a send that fails meanwhile: an hour would be long.
    const { intervalMs } = new KeepPartitions(
      new PartitionsRepository(database),
      clockShowing(() => inMonths),
      pino({ enabled: false }),
    );
    expect(intervalMs).toBeLessThanOrEqual(60_000);
  });
});
