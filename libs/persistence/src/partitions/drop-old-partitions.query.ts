import { DAY_MS } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';
import { LEDGER_TABLES, SHORT_LIVED_TABLES } from './ensure-partitions.query';

/** A partition that holds nothing younger than a day, by name: `deliveries_20260131`. */
const NAME = /^[a-z_]+_(\d{4})(\d{2})(\d{2})$/;

/**
 * Drops the days of the ledger that lie wholly before `before`. A drop locks
 * the whole ledger for a moment and waits for whoever reads it, so it waits a fifth of a second at most; what is not
 * dropped then is left for the next time. Safe to run from several processes at once.
 *
 * @returns the names of the partitions that were dropped
 */
export function dropOldPartitions(executor: Executor, before: Date): Promise<string[]> {
  return dropDaysOf(executor, LEDGER_TABLES, before);
}

/** Drops the days of what is kept for a few days only, as `dropOldPartitions` does those of the ledger. */
export function dropShortLivedPartitions(executor: Executor, before: Date): Promise<string[]> {
  return dropDaysOf(executor, SHORT_LIVED_TABLES, before);
}

async function dropDaysOf(executor: Executor, tables: readonly string[], before: Date): Promise<string[]> {
  const partitions = await rows<{ name: string }>(
    executor,
    `SELECT c.relname AS name FROM pg_inherits h
     JOIN pg_class c ON c.oid = h.inhrelid
     WHERE h.inhparent = ANY ($1::text[]::regclass[])
     ORDER BY 1`,
    [tables],
  );
  const old = partitions.map(({ name }) => name).filter((name) => isBefore(name, before));
  const dropped: string[] = [];
  for (const name of old) if (await dropPartition(executor, name)) dropped.push(name);
  return dropped;
}

function isBefore(name: string, before: Date): boolean {
  const [, year, month, day] = NAME.exec(name) ?? [];
  if (!year || !month || !day) return false;
  return Date.UTC(Number(year), Number(month) - 1, Number(day)) + DAY_MS <= before.getTime();
}

/** Names come from the catalogue and match `NAME`: DDL takes no parameters. The timeout holds for this statement alone. */
async function dropPartition(executor: Executor, name: string): Promise<boolean> {
  try {
    await executor.query(
      `DO $$ BEGIN PERFORM set_config('lock_timeout', '200ms', true); DROP TABLE IF EXISTS ${name}; END $$`,
    );
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
}

/** PostgreSQL's error code for a lock that was not to be had in time. */
const LOCK_NOT_AVAILABLE = '55P03';
