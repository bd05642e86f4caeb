import { DAY_MS } from '@postrider/domain';
import { firstIdAt } from '@postrider/platform';
import type { Executor } from '../database/executor';
import { LOCK_IDS } from '../database/lock-ids';

/** The ledger, and what people did with its messages: kept in days by the id of the message. */
export const LEDGER_TABLES = [
  'messages',
  'pages',
  'deliveries',
  'message_counts',
  'delivery_clicks',
  'conversions',
  'inbox_marks',
] as const;

/** What is kept for a few days only, by the day on which it was written. */
export const SHORT_LIVED_TABLES = ['reported_events'] as const;

/**
 * Makes the daily partitions of the ledger from yesterday to `daysAhead` days after `now`, where they are missing. Safe to
 * run at any time and from several processes at once.
 *
 * @returns the names of the partitions that were made
 */
export async function ensurePartitions(executor: Executor, now: Date, daysAhead = 14): Promise<string[]> {
  const made: string[] = [];
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  for (let day = today - DAY_MS; day <= today + daysAhead * DAY_MS; day += DAY_MS) {
    const bounds = [new Date(day), new Date(day + DAY_MS)] as const;
    for (const table of LEDGER_TABLES) {
      const name = nameOf(table, day);
      if (await createPartition(executor, table, name, bounds.map(firstIdAt))) made.push(name);
    }
    for (const table of SHORT_LIVED_TABLES) {
      const name = nameOf(table, day);
      if (await createPartition(executor, table, name, bounds.map(dateOf))) made.push(name);
    }
  }
  return made;
}

function dateOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

function nameOf(table: string, day: number): string {
  return `${table}_${dateOf(new Date(day)).replaceAll('-', '')}`;
}

/**
 * Names and bounds are made here from a date, never from input: DDL takes no parameters. A table that is made first and
 * attached then locks out nobody; `CREATE TABLE … PARTITION OF` would wait for every reader of the ledger, and everybody
 * else for it.
 */
async function createPartition(executor: Executor, table: string, name: string, bounds: string[]): Promise<boolean> {
  const found: unknown[] = await executor.query(`SELECT 1 FROM pg_class WHERE relname = $1`, [name]);
  if (found.length > 0) return false;
  const [from, to] = bounds;
  await executor.query(`
    DO $$ BEGIN
      PERFORM pg_advisory_xact_lock(${LOCK_IDS.partitions});
      IF NOT EXISTS (SELECT FROM pg_class WHERE relname = '${name}') THEN
        CREATE TABLE ${name} (LIKE ${table} INCLUDING ALL);
        ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM ('${from}') TO ('${to}');
      END IF;
    END $$`);
  return true;
}
