import { Inject, Injectable } from '@nestjs/common';
import { DAY_MS } from '@postrider/domain';
import { DATABASE, type Database, rows } from '../database/executor';
import { LOCK_IDS } from '../database/lock-ids';
import { sql } from '../sql';
import {
  endOfPartition,
  midnightOf,
  PARTITION_RULES,
  type PartitionLifetime,
  partitionName,
  type PartitionRule,
} from './partition-rules';

/** For how many days partitions are made in advance, unless the caller says otherwise. */
const DAYS_AHEAD = 14;

/** PostgreSQL's error code for a lock that was not to be had in time. */
const LOCK_NOT_AVAILABLE = '55P03';

/** The daily partitions of the ledger, and of what is kept for a few days only. */
@Injectable()
export class PartitionsRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * Makes the daily partitions from yesterday to `daysAhead` days after `now`, where they are missing. Locks out nobody who
   * reads or writes. Safe to run at any time and from several processes at once.
   *
   * @returns the names of the partitions that were made
   */
  async ensure(now: Date, daysAhead = DAYS_AHEAD): Promise<string[]> {
    const made: string[] = [];
    const today = midnightOf(now).getTime();
    for (let day = today - DAY_MS; day <= today + daysAhead * DAY_MS; day += DAY_MS) {
      for (const rule of PARTITION_RULES) {
        const name = partitionName(rule.table, new Date(day));
        if (await this.#create(rule, name, new Date(day))) made.push(name);
      }
    }
    return made;
  }

  /**
   * Drops the days of the ledger that lie wholly before `before`. A drop locks the whole table for a moment and waits for
   * whoever reads it, so it waits a fifth of a second at most; what is not dropped then is left for the next time. Safe to run
   * from several processes at once.
   *
   * @returns the names of the partitions that were dropped
   */
  dropOld(before: Date): Promise<string[]> {
    return this.#dropDays('ledger', before);
  }

  /** Drops the days of what is kept for a few days only, as `dropOld` does those of the ledger. */
  dropShortLived(before: Date): Promise<string[]> {
    return this.#dropDays('shortLived', before);
  }

  /**
   * Names and bounds are made here from a date, never from input: DDL takes no parameters. A table that is made first and
   * attached then locks out nobody; `CREATE TABLE … PARTITION OF` would wait for every reader of the ledger, and everybody
   * else for it.
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

  async #dropDays(lifetime: PartitionLifetime, before: Date): Promise<string[]> {
    const tables = PARTITION_RULES.filter((rule) => rule.lifetime === lifetime).map(({ table }) => table);
    const partitions = await rows<{ name: string }>(
      this.database,
      sql`SELECT c.relname AS name FROM pg_inherits h
          JOIN pg_class c ON c.oid = h.inhrelid
          WHERE h.inhparent = ANY (${tables}::text[]::regclass[])
          ORDER BY 1`,
    );
    const dropped: string[] = [];
    for (const { name } of partitions) {
      const end = endOfPartition(name);
      if (end !== null && end.getTime() <= before.getTime() && (await this.#drop(name))) dropped.push(name);
    }
    return dropped;
  }

  /** Names come from the catalogue and have the form of `partitionName`: DDL takes no parameters. */
  async #drop(name: string): Promise<boolean> {
    try {
      // The timeout holds for this statement alone.
      await this.database.query(
        `DO $$ BEGIN PERFORM set_config('lock_timeout', '200ms', true); DROP TABLE IF EXISTS ${name}; END $$`,
      );
      return true;
    } catch (error) {
      if ((error as { code?: string }).code === LOCK_NOT_AVAILABLE) return false;
      throw error;
    }
  }
}
