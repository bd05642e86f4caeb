import { Inject, Injectable } from '@nestjs/common';
import { DATABASE, type Database, type Executor, rows } from '../database/executor';
import { parameter, sql } from '../sql';
import { type LowPromoSet, PROMO_CHUNK_BYTES, PROMO_SET_COLUMNS, type PromoSet, type PromoSetKey } from './promo-set';

/** An import that one worker holds. Its writes count while the fence is still its own. */
export interface PromoImport extends PromoSet {
  fence: number;
  /** How often it failed through its own fault since its last progress (`noteFault`). */
  attempts: number;
  /** How often a worker took it since its last progress, including this time. */
  interruptions: number;
  /** Rows of `promo_codes` so far. */
  blocks: number;
}

/** The progress of one step of an import. */
export interface PromoImportStep {
  position: number;
  lines: number;
  loaded: number;
  blocks: number;
}

/** Why an import failed, and when its remains are to be deleted. */
interface PromoFailure {
  failure: 'file' | 'service';
  reason: string;
  now: Date;
}

/**
 * Imports of uploads, each held by one worker at a time. Writes for an import change nothing once another worker has
 * taken it. The former set stays in force until `swap`.
 */
@Injectable()
export class PromoImportsRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * Takes an import, unless another worker holds it.
   *
   * @param leaseEndsAt until when it is held if the lease is not renewed
   * @returns null if it is held, or there is nothing to import
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

  /**
   * Holds an import until `leaseEndsAt`. Then another worker may take it. @returns false if it no longer belongs to
   * this worker
   */
  async renew({ appId, setId, fence }: PromoImport, leaseEndsAt: Date): Promise<boolean> {
    const renewed = await rows(
      this.database,
      sql`UPDATE promo_sets SET wake_at = ${leaseEndsAt}
          WHERE app_id = ${appId} AND set_id = ${setId} AND fence = ${fence} AND state = 'importing' RETURNING 1`,
    );
    return renewed.length > 0;
  }

  /** Lets another worker take an import at once: nothing went wrong, this worker only stops. */
  async giveBack({ appId, setId, fence }: PromoImport, now: Date): Promise<void> {
    await rows(
      this.database,
      sql`UPDATE promo_sets SET interruptions = greatest(interruptions - 1, 0), wake_at = ${now}
          WHERE app_id = ${appId} AND set_id = ${setId} AND fence = ${fence} AND state = 'importing'`,
    );
  }

  /**
   * Counts a failure that the import itself caused, and lets another worker take it from `retryAt` on. A worker that
   * dies, or loses its connections, counts as an interruption only.
   */
  async noteFault({ appId, setId, fence }: PromoImport, retryAt: Date): Promise<void> {
    await rows(
      this.database,
      sql`UPDATE promo_sets SET attempts = attempts + 1, wake_at = ${retryAt}
          WHERE app_id = ${appId} AND set_id = ${setId} AND fence = ${fence} AND state = 'importing'`,
    );
  }

  /**
   * Reads bytes of an upload, up to the end of the piece that holds them.
   *
   * @returns null if that piece is imported
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
   * Moves an import forward, in the transaction that copied the codes. The imported part of the file is deleted.
   *
   * @returns false if it no longer belongs to this worker, or is at another position: then the transaction must not be
   * committed
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
   * Records the number of codes of an import, once its codes are settled.
   *
   * @returns false if it no longer belongs to this worker: then the transaction must not be committed
   */
  async noteTotal(executor: Executor, { appId, setId, fence }: PromoImport, total: number): Promise<boolean> {
    const noted = await rows(
      executor,
      sql`UPDATE promo_sets SET total = ${total}, interruptions = 0
          WHERE app_id = ${appId} AND set_id = ${setId} AND fence = ${fence} AND state = 'importing' RETURNING 1`,
    );
    return noted.length > 0;
  }

  /** Counts codes that were taken out of an import because they had been given out before. @returns like `noteTotal` */
  async noteGiven(executor: Executor, { appId, setId, fence }: PromoImport, count: number): Promise<boolean> {
    const noted = await rows(
      executor,
      sql`UPDATE promo_sets SET given_before = given_before + ${count}, interruptions = 0
          WHERE app_id = ${appId} AND set_id = ${setId} AND fence = ${fence} AND state = 'importing' RETURNING 1`,
    );
    return noted.length > 0;
  }

  /**
   * Puts an import in force in place of the present set of its source, whose threshold it takes over. It must run in a
   * transaction that holds the sets (`PromoSetsRepository.hold`), so that claims use the old set before it and the new
   * set after it.
   *
   * @returns null if the import no longer belongs to this worker; else the set, if it begins at or below its threshold
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

  /** Ends an import as failed. The set in force stays. @returns false if it no longer belongs to this worker */
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
