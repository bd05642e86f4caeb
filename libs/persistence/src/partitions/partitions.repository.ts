import { DAY_MS, midnightOf } from '@postrider/domain';
import { firstIdAt } from '@postrider/platform';
import { Inject, Injectable } from '@nestjs/common';
import { DATABASE, type Database, rows } from '../database/executor';
import { LOCK_IDS } from '../database/lock-ids';
import { isLockedOut } from '../database/sql-state';
import { sql } from '../sql';

/** How long the days of a table are kept: as long as messages, or a few days only. */
type PartitionLifetime = 'ledger' | 'shortLived';

/** How a table is divided into days. */
interface PartitionRule {
  table: string;
  lifetime: PartitionLifetime;
  /** The first value of the partition key that belongs to the day which begins at `midnight`. */
  firstOf(midnight: Date): string;
}

/**
 * The ledger, and what people did with its messages. Divided by the id of the message, whose first bits are its time.
 */
const byMessageId = (table: string): PartitionRule => ({ table, lifetime: 'ledger', firstOf: firstIdAt });

/** Data that is kept for a few days only. Divided by the day on which it was written. */
const byDate = (table: string): PartitionRule => ({ table, lifetime: 'shortLived', firstOf: dateOf });

/**
 * Every table that is divided into days (docs/decisions/0002-partitions-by-message-id.md), in the order in which a day is
 * dropped: a table comes before those to which something is written because of its rows.
 */
const PARTITION_RULES: readonly PartitionRule[] = [
  byMessageId('messages'),
  byMessageId('pages'),
  byMessageId('delivery_packs'),
  byMessageId('deliveries'),
  byMessageId('message_counts'),
  byMessageId('delivery_clicks'),
  byMessageId('conversions'),
  byMessageId('inbox_marks'),
  byDate('reported_events'),
];

/** The name of the partition of `table` for the day that begins at `midnight`: `deliveries_20260131`. */
export function partitionName(table: string, midnight: Date): string {
  return `${table}_${dateOf(midnight).replaceAll('-', '')}`;
}

const NAME = /^[a-z_]+_(\d{4})(\d{2})(\d{2})$/;

/**
 * Returns when the day of a partition ends, by the partition's name. @returns null if the name was not made by
 * `partitionName`
 */
function endOfPartition(name: string): Date | null {
  const [, year, month, day] = NAME.exec(name) ?? [];
  if (!year || !month || !day) return null;
  return new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)) + DAY_MS);
}

/** The beginnings of the days for which `table` has one of these partitions. */
function daysOf(table: string, names: ReadonlySet<string>): number[] {
  const ends = [...names].filter((name) => name.slice(0, -'_20260131'.length) === table).map(endOfPartition);
  return ends.flatMap((end) => (end === null ? [] : [end.getTime() - DAY_MS]));
}

function dateOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** How many days ahead partitions are made by default. */
const DAYS_AHEAD = 14;

/** The daily partitions of the ledger, and of tables that are kept for a few days only. */
@Injectable()
export class PartitionsRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * Makes missing daily partitions from yesterday to `daysAhead` days after `now`, and for the ledger those of every
   * day that has messages: processes of a version that did not know a table yet made none for it. It blocks no reader
   * or writer, and is safe to run at any time and from several processes at once.
   *
   * @returns the names of the partitions that were made
   */
  async ensure(now: Date, daysAhead = DAYS_AHEAD): Promise<string[]> {
    const made: string[] = [];
    const today = midnightOf(now).getTime();
    const names = await this.#namesOf(PARTITION_RULES.map(({ table }) => table));
    const [ahead, kept] = [new Set<number>(), daysOf('messages', names)];
    for (let day = today - DAY_MS; day <= today + daysAhead * DAY_MS; day += DAY_MS) ahead.add(day);
    for (const day of new Set([...ahead, ...kept])) {
      for (const rule of PARTITION_RULES) {
        if (!ahead.has(day) && rule.lifetime !== 'ledger') continue;
        const name = partitionName(rule.table, new Date(day));
        if (!names.has(name) && (await this.#create(rule, name, new Date(day)))) made.push(name);
      }
    }
    return made;
  }

  /**
   * Drops the days of the ledger that are wholly before `before`. A day with a message that was moved, and leaves or
   * left later than `before`, is kept: results are kept as long after a message has left, whatever day it was planned
   * for. A drop locks the whole table for a moment and waits for its readers, so it waits for a fifth of a second at
   * most; a day that could not be dropped is left for the next time. Its messages are dropped first, and nothing else
   * while they are there: otherwise messages would be shown without their results, and reports about them refused. Safe
   * to run from several processes at once.
   *
   * @returns the names of the partitions that were dropped
   */
  async dropOld(before: Date): Promise<string[]> {
    return this.#dropDays('ledger', before, await this.#daysInUse(before));
  }

  /** Like `dropOld`, for tables that are kept for a few days only. */
  dropShortLived(before: Date): Promise<string[]> {
    return this.#dropDays('shortLived', before);
  }

  /**
   * Counts for how many days after that of `now` each table has partitions, up to the first missing day. A table
   * without the partition of a day accepts no row of that day.
   */
  async countDaysAhead(now: Date): Promise<{ table: string; days: number }[]> {
    const tables = PARTITION_RULES.map(({ table }) => table);
    const names = await this.#namesOf(tables);
    const today = midnightOf(now).getTime();
    return tables.map((table) => {
      let days = 0;
      while (names.has(partitionName(table, new Date(today + (days + 1) * DAY_MS)))) days++;
      return { table, days };
    });
  }

  async #namesOf(tables: readonly string[]): Promise<Set<string>> {
    const found = await rows<{ name: string }>(
      this.database,
      sql`SELECT c.relname AS name FROM pg_inherits h
          JOIN pg_class c ON c.oid = h.inhrelid
          WHERE h.inhparent = ANY (${tables}::text[]::regclass[])
          ORDER BY 1`,
    );
    return new Set(found.map(({ name }) => name));
  }

  /**
   * Names and bounds are made here from a date, never from input, because DDL takes no parameters. A table that is made
   * first and attached then blocks nobody. `CREATE TABLE … PARTITION OF` would wait for every reader of the ledger, and
   * block everybody else meanwhile.
   */
  async #create({ table, firstOf }: PartitionRule, name: string, midnight: Date): Promise<boolean> {
    const found = await rows(this.database, sql`SELECT 1 FROM pg_class WHERE relname = ${name}`);
    if (found.length > 0) return false;
    const [from, to] = [firstOf(midnight), firstOf(new Date(midnight.getTime() + DAY_MS))];
    await this.database.query(`
      DO $$ BEGIN
        PERFORM pg_advisory_xact_lock(${LOCK_IDS.partitions});
        IF NOT EXISTS (SELECT FROM pg_class WHERE relname = '${name}') THEN
          CREATE TABLE ${name} (LIKE ${table} INCLUDING ALL);
          ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM ('${from}') TO ('${to}');
        END IF;
      END $$`);
    return true;
  }

  /** Finds those old days that have a message which leaves at `before` or later: their ends, in milliseconds. */
  async #daysInUse(before: Date): Promise<Set<number>> {
    const inUse = new Set<number>();
    for (const name of await this.#namesOf(['messages'])) {
      const end = endOfPartition(name);
      if (end === null || end.getTime() > before.getTime()) continue;
      // Reads the whole table, so that a day which another process drops at this moment is empty and no error.
      const found = await rows(
        this.database,
        sql`SELECT 1 FROM messages WHERE id >= ${firstIdAt(new Date(end.getTime() - DAY_MS))}::uuid
              AND id < ${firstIdAt(end)}::uuid AND send_at >= ${before} LIMIT 1`,
      );
      if (found.length > 0) inUse.add(end.getTime());
    }
    return inUse;
  }

  async #dropDays(lifetime: PartitionLifetime, before: Date, inUse = new Set<number>()): Promise<string[]> {
    const tables = PARTITION_RULES.filter((rule) => rule.lifetime === lifetime).map(({ table }) => table);
    const names = await this.#namesOf(tables);
    const days = new Set(tables.flatMap((table) => daysOf(table, names)));
    const dropped: string[] = [];
    for (const day of [...days].sort((one, other) => one - other)) {
      const end = day + DAY_MS;
      if (end > before.getTime() || inUse.has(end)) continue;
      const ofDay = tables.map((table) => partitionName(table, new Date(day))).filter((name) => names.has(name));
      dropped.push(...(await this.#dropInOrder(ofDay)));
    }
    return dropped;
  }

  /** Drops partitions up to the first one that somebody reads. @returns the names of those that were dropped */
  async #dropInOrder(names: readonly string[]): Promise<string[]> {
    const dropped: string[] = [];
    for (const name of names) {
      if (!(await this.#drop(name))) break;
      dropped.push(name);
    }
    return dropped;
  }

  /** Names come from the catalogue and have the form of `partitionName`, because DDL takes no parameters. */
  async #drop(name: string): Promise<boolean> {
    try {
      // The timeout applies to this statement only.
      await this.database.query(
        `DO $$ BEGIN PERFORM set_config('lock_timeout', '200ms', true); DROP TABLE IF EXISTS ${name}; END $$`,
      );
      return true;
    } catch (error) {
      if (isLockedOut(error)) return false;
      throw error;
    }
  }
}
