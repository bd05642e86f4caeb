import type { Type } from '@nestjs/common';
import { DAY_MS } from '@postrider/domain';
import { type Database, PartitionsRepository } from '@postrider/persistence';
import { CLOCK, CONFIG, type Config, createLogger, LOGGER } from '@postrider/platform';
import { clockShowing, createShop, createDatabaseOfAllDays, type ThrowAwayDatabase } from '@postrider/testing';
import { KeepPartitions, RETENTION_TASKS } from './retention.tasks';

describe('the retention of the ledger', () => {
  let throwAway: ThrowAwayDatabase;
  let database: Database;

  beforeEach(async () => {
    throwAway = await createDatabaseOfAllDays();
    database = throwAway.dataSource;
  });
  afterEach(() => throwAway.drop());

  it('makes days to come, drops days past retention, and forgets idempotency keys', async () => {
    await createShop(database, 0);
    await database.query(
      `INSERT INTO idempotency_keys (app_id, key, request_hash, created_at)
       SELECT 'shop', 'key-' || n, '', now() FROM generate_series(1, 2500) n`,
    );
    const days = async (table: string): Promise<string[]> => {
      const found: { day: string }[] = await database.query(
        `SELECT right(c.relname, 8) AS day FROM pg_inherits h JOIN pg_class c ON c.oid = h.inhrelid
         WHERE h.inhparent = $1::regclass ORDER BY 1`,
        [table],
      );
      return found.map(({ day }) => day);
    };
    const nameOf = (at: Date): string => at.toISOString().slice(0, 10).replaceAll('-', '');
    const inTenDays = new Date(Date.now() + 10 * DAY_MS);
    const logger = createLogger('test', { logLevel: 'silent', logFormat: 'json' });
    const config = { retentionDays: 2, promoRetentionDays: 2 } as Config;
    const clock = clockShowing(() => inTenDays);
    await new KeepPartitions(new PartitionsRepository(database), config, clock, logger).run();
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

    const kept = await days('deliveries');
    expect(kept[0]).toBe(nameOf(new Date(inTenDays.getTime() - 2 * DAY_MS)));
    expect(kept.at(-1)).toBe(nameOf(new Date(inTenDays.getTime() + 14 * DAY_MS)));
    // Reported events are remembered for three days, however long messages are kept.
    const remembered = await days('reported_events');
    expect(remembered[0]).toBe(nameOf(new Date(inTenDays.getTime() - 4 * DAY_MS)));
    expect(remembered.at(-1)).toBe(kept.at(-1));
    expect(await database.query(`SELECT 1 FROM idempotency_keys`)).toEqual([]);
  });
});
