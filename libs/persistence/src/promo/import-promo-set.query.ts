import { type Executor, rows } from '../database/executor';
import { PROMO_CHUNK_BYTES, PROMO_SET_COLUMNS, type PromoSet, type PromoSetKey } from './promo-set';

/** An import in one worker's hands: what it writes counts while the fence is still its own. */
export interface PromoImport extends PromoSet {
  fence: number;
  /** How often it was taken on since it last got on, this time included. */
  attempts: number;
  /** Rows of `promo_codes` so far. */
  blocks: number;
}

/**
 * Takes an import on, unless another worker holds it.
 *
 * @param leaseEndsAt until when it is held, if not renewed
 * @returns null when it is held, or there is nothing to import
 */
export async function takePromoImport(
  executor: Executor,
  { appId, setId }: PromoSetKey,
  { now, leaseEndsAt }: { now: Date; leaseEndsAt: Date },
): Promise<PromoImport | null> {
  const taken = await rows<PromoImport>(
    executor,
    `UPDATE promo_sets SET fence = fence + 1, attempts = attempts + 1, wake_at = $4
     WHERE app_id = $1 AND set_id = $2 AND state = 'importing' AND (fence = 0 OR wake_at <= $3)
     RETURNING ${PROMO_SET_COLUMNS}, fence, attempts, blocks`,
    [appId, setId, now, leaseEndsAt],
  );
  return taken[0] ?? null;
}

/** Holds an import until `leaseEndsAt`; then another worker may take it on. @returns false when it is no longer this worker's */
export async function renewPromoImport(
  executor: Executor,
  { appId, setId, fence }: PromoImport,
  leaseEndsAt: Date,
): Promise<boolean> {
  const renewed = await rows(
    executor,
    `UPDATE promo_sets SET wake_at = $4
     WHERE app_id = $1 AND set_id = $2 AND fence = $3 AND state = 'importing' RETURNING 1`,
    [appId, setId, fence, leaseEndsAt],
  );
  return renewed.length > 0;
}

/**
 * Some bytes of an upload, up to the end of the piece in which it is kept.
 *
 * @returns null when that piece is imported
 */
export async function readPromoBytes(
  executor: Executor,
  { appId, setId }: PromoSetKey,
  { position, most }: { position: number; most: number },
): Promise<Buffer | null> {
  const found = await rows<{ bytes: Buffer }>(
    executor,
    `SELECT substring(content FROM $4::integer FOR $5::integer) AS bytes FROM promo_chunks
     WHERE app_id = $1 AND set_id = $2 AND number = $3`,
    [appId, setId, Math.floor(position / PROMO_CHUNK_BYTES), (position % PROMO_CHUNK_BYTES) + 1, most],
  );
  return found[0]?.bytes ?? null;
}

/** How far a stretch brought an import. */
export interface PromoImportStep {
  position: number;
  lines: number;
  loaded: number;
  blocks: number;
}

/**
 * Moves an import on, in the transaction that copied the codes. What is imported of the file is thrown away.
 *
 * @returns false when it is no longer this worker's, or stands elsewhere: the transaction must not be committed
 */
export async function advancePromoImport(
  executor: Executor,
  { appId, setId, fence, position }: PromoImport,
  to: PromoImportStep,
): Promise<boolean> {
  const moved = await rows(
    executor,
    `UPDATE promo_sets SET position = $5, lines = $6, loaded = $7, blocks = $8, attempts = 1
     WHERE app_id = $1 AND set_id = $2 AND fence = $3 AND position = $4 AND state = 'importing' RETURNING 1`,
    [appId, setId, fence, position, to.position, to.lines, to.loaded, to.blocks],
  );
  if (moved.length === 0) return false;
  await rows(executor, `DELETE FROM promo_chunks WHERE app_id = $1 AND set_id = $2 AND number < $3`, [
    appId,
    setId,
    Math.floor(to.position / PROMO_CHUNK_BYTES),
  ]);
  return true;
}

/** Why an import comes to nothing, and when what is left of it is to be deleted. */
export interface PromoFailure {
  failure: 'file' | 'service';
  reason: string;
  now: Date;
}

/** Ends an import that comes to nothing; whatever is in force stays. @returns false when it is no longer this worker's */
export async function failPromoImport(
  executor: Executor,
  { appId, setId, fence }: PromoImport,
  { failure, reason, now }: PromoFailure,
): Promise<boolean> {
  const failed = await rows(
    executor,
    `UPDATE promo_sets SET state = 'failed', failure = $4, reason = $5, ended_at = $6, wake_at = $6
     WHERE app_id = $1 AND set_id = $2 AND fence = $3 AND state = 'importing' RETURNING 1`,
    [appId, setId, fence, failure, reason, now],
  );
  return failed.length > 0;
}
