import { Inject, Injectable } from '@nestjs/common';
import { DATABASE, type Database, type Executor, rows } from '../database/executor';
import { parameter, sql } from '../sql';
import { type LowPromoSet, PROMO_CHUNK_BYTES, PROMO_SET_COLUMNS, type PromoSet, type PromoSetKey } from './promo-set';

/** An import in one worker's hands: what it writes counts while the fence is still its own. */
export interface PromoImport extends PromoSet {
  fence: number;
  /** How often it failed by itself since it last got on (`noteFault`). */
  attempts: number;
  /** How often a worker took it on since it last got on, this time included. */
  interruptions: number;
  /** Rows of `promo_codes` so far. */
  blocks: number;
}

/** How far a stretch brought an import. */
export interface PromoImportStep {
  position: number;
  lines: number;
  loaded: number;
  blocks: number;
}

/** Why an import comes to nothing, and when what is left of it is to be deleted. */
export interface PromoFailure {
  failure: 'file' | 'service';
  reason: string;
  now: Date;
}

/**
 * Imports of uploads, each in one worker's hands at a time. What is written for an import changes nothing once another worker
 * has taken it on; the set before it stays in force until `swap`.
 */
@Injectable()
export class PromoImportsRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * Takes an import on, unless another worker holds it.
   *
   * @param leaseEndsAt until when it is held, if not renewed
   * @returns null when it is held, or there is nothing to import
   */
  async take(
    { appId, setId }: PromoSetKey,
    { now, leaseEndsAt }: { now: Date; leaseEndsAt: Date },
  ): Promise<PromoImport | null> {
    const taken = await rows<PromoImport>(
      this.database,
      sql`UPDATE promo_sets SET fence = fence + 1, interruptions = interruptions + 1, wake_at = ${leaseEndsAt}
          WHERE app_id = ${appId} AND set_id = ${setId} AND state = 'importing' AND (fence = 0 OR wake_at <= ${now})
          RETURNING ${PROMO_SET_COLUMNS}, fence, attempts, interruptions, blocks`,
    );
    return taken[0] ?? null;
  }

  /** Holds an import until `leaseEndsAt`; then another worker may take it on. @returns false when it is no longer this worker's */
  async renew({ appId, setId, fence }: PromoImport, leaseEndsAt: Date): Promise<boolean> {
    const renewed = await rows(
      this.database,
      sql`UPDATE promo_sets SET wake_at = ${leaseEndsAt}
          WHERE app_id = ${appId} AND set_id = ${setId} AND fence = ${fence} AND state = 'importing' RETURNING 1`,
    );
    return renewed.length > 0;
  }

  /** Lets another worker take an import on from now: nothing went wrong, the worker only stops. */
  async giveBack({ appId, setId, fence }: PromoImport, now: Date): Promise<void> {
    await rows(
      this.database,
      sql`UPDATE promo_sets SET interruptions = greatest(interruptions - 1, 0), wake_at = ${now}
          WHERE app_id = ${appId} AND set_id = ${setId} AND fence = ${fence} AND state = 'importing'`,
    );
  }

  /**
   * Counts a turn that the import itself made fail, and lets another worker take it on from `retryAt`. A worker that dies, or
   * loses its connections, counts as an interruption only.
   */
  async noteFault({ appId, setId, fence }: PromoImport, retryAt: Date): Promise<void> {
    await rows(
      this.database,
      sql`UPDATE promo_sets SET attempts = attempts + 1, wake_at = ${retryAt}
          WHERE app_id = ${appId} AND set_id = ${setId} AND fence = ${fence} AND state = 'importing'`,
    );
  }

  /**
   * Some bytes of an upload, up to the end of the piece in which it is kept.
   *
   * @returns null when that piece is imported
   */
  async readBytes(
    { appId, setId }: PromoSetKey,
    { position, most }: { position: number; most: number },
  ): Promise<Buffer | null> {
    const number = Math.floor(position / PROMO_CHUNK_BYTES);
    const found = await rows<{ bytes: Buffer }>(
      this.database,
      sql`SELECT substring(content FROM ${(position % PROMO_CHUNK_BYTES) + 1}::integer FOR ${most}::integer) AS bytes
          FROM promo_chunks WHERE app_id = ${appId} AND set_id = ${setId} AND number = ${number}`,
    );
    return found[0]?.bytes ?? null;
  }

  /**
   * Moves an import on, in the transaction that copied the codes. What is imported of the file is thrown away.
   *
   * @returns false when it is no longer this worker's, or stands elsewhere: the transaction must not be committed
   */
  async advance(
    executor: Executor,
    { appId, setId, fence, position }: PromoImport,
    to: PromoImportStep,
  ): Promise<boolean> {
    const moved = await rows(
      executor,
      sql`UPDATE promo_sets
          SET position = ${to.position}, lines = ${to.lines}, loaded = ${to.loaded}, blocks = ${to.blocks}, attempts = 0,
            interruptions = 0
          WHERE app_id = ${appId} AND set_id = ${setId} AND fence = ${fence} AND position = ${position}
            AND state = 'importing' RETURNING 1`,
    );
    if (moved.length === 0) return false;
    const kept = Math.floor(to.position / PROMO_CHUNK_BYTES);
    await rows(
      executor,
      sql`DELETE FROM promo_chunks WHERE app_id = ${appId} AND set_id = ${setId} AND number < ${kept}`,
    );
    return true;
  }

  /**
   * Notes what an import came to, once its codes are settled.
   *
   * @returns false when it is no longer this worker's: the transaction must not be committed
   */
  async noteTotal(executor: Executor, { appId, setId, fence }: PromoImport, total: number): Promise<boolean> {
    const noted = await rows(
      executor,
      sql`UPDATE promo_sets SET total = ${total}, interruptions = 0
          WHERE app_id = ${appId} AND set_id = ${setId} AND fence = ${fence} AND state = 'importing' RETURNING 1`,
    );
    return noted.length > 0;
  }

  /** Counts codes that were taken out of an import because they were given before. @returns as `noteTotal` */
  async noteGiven(executor: Executor, { appId, setId, fence }: PromoImport, count: number): Promise<boolean> {
    const noted = await rows(
      executor,
      sql`UPDATE promo_sets SET given_before = given_before + ${count}, interruptions = 0
          WHERE app_id = ${appId} AND set_id = ${setId} AND fence = ${fence} AND state = 'importing' RETURNING 1`,
    );
    return noted.length > 0;
  }

  /**
   * Puts an import in force in the place of the present set of its source, whose threshold it takes over. Has to run in a
   * transaction that holds the sets (`PromoSetsRepository.hold`), so that claims draw from the one before it and from the
   * other behind it.
   *
   * @returns null when the import is no longer this worker's; else the set when it begins at or below its threshold
   */
  async swap(
    executor: Executor,
    { appId, setId, trackId, fence }: PromoImport,
    now: Date,
  ): Promise<{ lowSet: LowPromoSet | null } | null> {
    const moment = parameter(now, 'timestamptz');
    const [replaced] = await rows<{ lowStockAt: number | null }>(
      executor,
      sql`UPDATE promo_sets SET state = 'replaced', ended_at = ${moment}, wake_at = ${moment}
          WHERE app_id = ${appId} AND track_id = ${trackId} AND state = 'in_force'
          RETURNING low_stock_at::float8 AS "lowStockAt"`,
    );
    const threshold = parameter(replaced?.lowStockAt ?? null, 'bigint');
    const [set] = await rows<{ remaining: number; isLow: boolean }>(
      executor,
      sql`UPDATE promo_sets SET state = 'in_force', in_force_at = ${moment}, wake_at = NULL, remaining = total - given_before,
            low_stock_at = ${threshold}, low_since = CASE WHEN total - given_before <= ${threshold} THEN ${moment} END
          WHERE app_id = ${appId} AND set_id = ${setId} AND fence = ${fence} AND state = 'importing' AND total IS NOT NULL
          RETURNING remaining::float8 AS remaining, low_since IS NOT NULL AS "isLow"`,
    );
    if (!set) return null;
    await rows(executor, sql`DELETE FROM promo_chunks WHERE app_id = ${appId} AND set_id = ${setId}`);
    const lowStockAt = replaced?.lowStockAt ?? 0;
    return { lowSet: set.isLow ? { setId, trackId, remaining: set.remaining, lowStockAt } : null };
  }

  /** Ends an import that comes to nothing; whatever is in force stays. @returns false when it is no longer this worker's */
  async fail({ appId, setId, fence }: PromoImport, { failure, reason, now }: PromoFailure): Promise<boolean> {
    const moment = parameter(now);
    const failed = await rows(
      this.database,
      sql`UPDATE promo_sets SET state = 'failed', failure = ${failure}, reason = ${reason}, ended_at = ${moment},
            wake_at = ${moment}
          WHERE app_id = ${appId} AND set_id = ${setId} AND fence = ${fence} AND state = 'importing' RETURNING 1`,
    );
    return failed.length > 0;
  }
}
