import { Inject, Injectable } from '@nestjs/common';
import { DATABASE, type Database, type Executor, rows } from '../database/executor';
import { promoSetsLock } from '../database/lock-ids';
import { parameter, sql } from '../sql';
import {
  GLOBAL_TRACK_ID,
  type LowPromoSet,
  PROMO_SET_COLUMNS,
  type PromoSet,
  type PromoSetKey,
  type PromoSetState,
} from './promo-set';
import { duePromoSets } from '../due-work/due-rows';

/** The number of rows with codes that one statement deletes. */
const ROWS_CLEARED_AT_ONCE = 2_000;
/** A piece of a file is as large as this many rows of codes. */
const ROWS_A_PIECE = 50;

/** Which sets to list. Null: no filter. */
interface PromoSetFilter {
  trackId: string | null;
  inForce: boolean | null;
  beforeId: string | null;
}

/** A set that recovery should handle. */
export type DuePromoSet = PromoSetKey & { state: PromoSetState };

/** The stock of one application's sets in force. */
export interface PromoStock {
  appId: string;
  /** The stock of the set with the lowest stock. */
  lowestRemaining: number;
  /** Sets at or below their threshold. */
  lowSets: number;
}

/** Uploads of promo codes and the sets that they became: the list, their stock, and the deletion of old ones. */
@Injectable()
export class PromoSetsRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** The set, or null. */
  async find({ appId, setId }: PromoSetKey): Promise<PromoSet | null> {
    const found = await rows<PromoSet>(
      this.database,
      sql`SELECT ${PROMO_SET_COLUMNS} FROM promo_sets WHERE app_id = ${appId} AND set_id = ${setId}`,
    );
    return found[0] ?? null;
  }

  /** The application's global set in force, or null. */
  async findGlobal(appId: string): Promise<PromoSet | null> {
    const found = await rows<PromoSet>(
      this.database,
      sql`SELECT ${PROMO_SET_COLUMNS} FROM promo_sets
          WHERE app_id = ${appId} AND track_id = ${GLOBAL_TRACK_ID} AND state = 'in_force'`,
    );
    return found[0] ?? null;
  }

  /** Sets that are or were in force, the newest upload first. */
  async list(appId: string, { trackId, inForce, beforeId }: PromoSetFilter, limit: number): Promise<PromoSet[]> {
    const states = inForce === null ? ['in_force', 'replaced'] : inForce ? ['in_force'] : ['replaced'];
    const [track, before] = [parameter(trackId), parameter(beforeId)];
    return rows<PromoSet>(
      this.database,
      sql`SELECT ${PROMO_SET_COLUMNS} FROM promo_sets
          WHERE app_id = ${appId} AND state = ANY (${states}::text[]) AND (${track}::text IS NULL OR track_id = ${track})
            AND (${before}::uuid IS NULL OR set_id < ${before})
          ORDER BY set_id DESC LIMIT ${limit}`,
    );
  }

  /**
   * Locks the promo codes of an application until the transaction ends: claims of one application, and swaps of its
   * sets, run one after the other. The next statement sees the results of all earlier ones.
   */
  async hold(executor: Executor, appId: string): Promise<void> {
    await rows(executor, sql`SELECT pg_advisory_xact_lock(${promoSetsLock({ app: appId })})`);
  }

  /**
   * Gives a set in force another threshold, in a transaction that holds the sets (`hold`).
   *
   * @returns null if it is not in force; else the set, if the new threshold makes it low
   */
  async setLowStock(
    executor: Executor,
    { appId, setId }: PromoSetKey,
    { lowStockAt, now }: { lowStockAt: number | null; now: Date },
  ): Promise<{ lowSet: LowPromoSet | null } | null> {
    const [app, id, threshold] = [parameter(appId), parameter(setId), parameter(lowStockAt, 'bigint')];
    const [set] = await rows<LowPromoSet & { isNewlyLow: boolean }>(
      executor,
      sql`UPDATE promo_sets s SET low_stock_at = ${threshold},
            low_since = CASE WHEN s.remaining <= ${threshold} THEN coalesce(s.low_since, ${now}::timestamptz) END
          FROM promo_sets old
          WHERE s.app_id = ${app} AND s.set_id = ${id} AND s.state = 'in_force' AND old.app_id = ${app} AND old.set_id = ${id}
          RETURNING s.set_id AS "setId", s.track_id AS "trackId", s.remaining::float8 AS remaining,
            s.low_stock_at::float8 AS "lowStockAt", s.low_since IS NOT NULL AND old.low_since IS NULL AS "isNewlyLow"`,
    );
    if (!set) return null;
    const { isNewlyLow, ...lowSet } = set;
    return { lowSet: isNewlyLow ? lowSet : null };
  }

  /** Measures the stock of every application that has promo sets. */
  async measureStock(): Promise<PromoStock[]> {
    return rows<PromoStock>(
      this.database,
      sql`SELECT app_id AS "appId", min(remaining)::float8 AS "lowestRemaining",
            (count(*) FILTER (WHERE low_since IS NOT NULL))::integer AS "lowSets"
          FROM promo_sets WHERE state = 'in_force' GROUP BY app_id`,
    );
  }

  /**
   * Finds sets whose upload was interrupted, whose import no worker continues, or whose codes are to be deleted.
   * Imports come first.
   */
  async findDue(now: Date, limit: number): Promise<DuePromoSet[]> {
    return rows<DuePromoSet>(
      this.database,
      sql`SELECT app_id AS "appId", set_id AS "setId", state ${duePromoSets(now)}
          ORDER BY state <> 'importing', wake_at LIMIT ${limit}`,
    );
  }

  /**
   * Deletes the codes and the file of a set that has ended, in small steps. Safe to repeat. @returns true if everything
   * is deleted
   */
  async clear(key: PromoSetKey, signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      if (!(await this.#clearSome(key))) return true;
    }
    return false;
  }

  /** Records that nothing of an ended set is left to delete. Its results can still be read. */
  async rest({ appId, setId }: PromoSetKey): Promise<void> {
    await rows(
      this.database,
      sql`UPDATE promo_sets SET wake_at = NULL
          WHERE app_id = ${appId} AND set_id = ${setId} AND state IN ('replaced', 'failed')`,
    );
  }

  /**
   * Deletes up to `limit` sets that ended before `before` and hold nothing any more: their codes are deleted, and no
   * record of a given code is left.
   *
   * @returns the number of deleted sets
   */
  async deleteOld(before: Date, limit: number): Promise<number> {
    const deleted = await rows(
      this.database,
      sql`DELETE FROM promo_sets s WHERE (s.app_id, s.set_id) IN (
            SELECT o.app_id, o.set_id FROM promo_sets o
            WHERE o.state IN ('replaced', 'failed') AND o.ended_at < ${before} AND o.wake_at IS NULL
              AND NOT EXISTS (SELECT 1 FROM promo_assignments a WHERE a.app_id = o.app_id AND a.set_id = o.set_id)
            LIMIT ${limit}
          ) RETURNING 1`,
    );
    return deleted.length;
  }

  /** @returns true if there was something to delete */
  async #clearSome({ appId, setId }: PromoSetKey): Promise<boolean> {
    const [app, id] = [parameter(appId), parameter(setId)];
    const [deleted] = await rows<{ count: number }>(
      this.database,
      sql`WITH over AS (
            SELECT 1 FROM promo_sets WHERE app_id = ${app} AND set_id = ${id} AND state IN ('replaced', 'failed')
          ), codes AS (
            DELETE FROM promo_codes WHERE app_id = ${app} AND set_id = ${id} AND EXISTS (SELECT 1 FROM over) AND number IN (
              SELECT number FROM promo_codes WHERE app_id = ${app} AND set_id = ${id} ORDER BY number
              LIMIT ${ROWS_CLEARED_AT_ONCE}
            ) RETURNING 1
          ), chunks AS (
            DELETE FROM promo_chunks WHERE app_id = ${app} AND set_id = ${id} AND EXISTS (SELECT 1 FROM over) AND number IN (
              SELECT number FROM promo_chunks WHERE app_id = ${app} AND set_id = ${id} ORDER BY number
              LIMIT ${ROWS_CLEARED_AT_ONCE / ROWS_A_PIECE}
            ) RETURNING 1
          )
          SELECT ((SELECT count(*) FROM codes) + (SELECT count(*) FROM chunks))::integer AS count`,
    );
    return (deleted?.count ?? 0) > 0;
  }
}
