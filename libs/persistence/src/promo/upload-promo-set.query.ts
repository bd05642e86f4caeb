import { type Executor, rows } from '../database/executor';
import type { PromoSetKey } from './promo-set';

/**
 * Whether a campaign is known: a message with its `trackId` was accepted, it was created, or it has a set (decisions, Promo
 * files).
 */
export async function isKnownCampaign(executor: Executor, appId: string, trackId: string): Promise<boolean> {
  const found = await rows(
    executor,
    `SELECT 1 WHERE EXISTS (SELECT 1 FROM campaigns WHERE app_id = $1 AND track_id = $2)
       OR EXISTS (SELECT 1 FROM messages WHERE app_id = $1 AND track_id = $2)
       OR EXISTS (SELECT 1 FROM promo_sets WHERE app_id = $1 AND track_id = $2)`,
    [appId, trackId],
  );
  return found.length > 0;
}

/**
 * Begins an upload.
 *
 * @param most how many unfinished ones an application may have
 * @param giveUpAt when it is taken for broken off, should nothing more of it come until then
 * @returns false when the application has too many
 */
export async function insertPromoSet(
  executor: Executor,
  { appId, setId }: PromoSetKey,
  { trackId, createdAt, giveUpAt, most }: { trackId: string; createdAt: Date; giveUpAt: Date; most: number },
): Promise<boolean> {
  const inserted = await rows(
    executor,
    `INSERT INTO promo_sets (app_id, set_id, track_id, created_at, wake_at)
     SELECT $1, $2, $3, $4, $5
     WHERE (SELECT count(*) FROM promo_sets WHERE app_id = $1 AND state IN ('uploading', 'importing')) < $6::int
     RETURNING 1`,
    [appId, setId, trackId, createdAt, giveUpAt, most],
  );
  return inserted.length > 0;
}

/** Keeps one piece of an upload. @returns false when the upload was given up meanwhile */
export async function insertPromoChunk(
  executor: Executor,
  { appId, setId }: PromoSetKey,
  { number, content, giveUpAt }: { number: number; content: Buffer; giveUpAt: Date },
): Promise<boolean> {
  const inserted = await rows(
    executor,
    `WITH alive AS (
       UPDATE promo_sets SET bytes = bytes + octet_length($4::bytea), wake_at = $5
       WHERE app_id = $1 AND set_id = $2 AND state = 'uploading' RETURNING 1
     )
     INSERT INTO promo_chunks (app_id, set_id, number, content) SELECT $1, $2, $3::int, $4::bytea FROM alive RETURNING 1`,
    [appId, setId, number, content, giveUpAt],
  );
  return inserted.length > 0;
}

/** The file is there whole and may be imported. @returns false when it was given up meanwhile */
export async function startPromoImport(
  executor: Executor,
  { appId, setId }: PromoSetKey,
  wakeAt: Date,
): Promise<boolean> {
  const started = await rows(
    executor,
    `UPDATE promo_sets SET state = 'importing', wake_at = $3
     WHERE app_id = $1 AND set_id = $2 AND state = 'uploading' RETURNING 1`,
    [appId, setId, wakeAt],
  );
  return started.length > 0;
}

/** Forgets a set with all that belongs to it, as if it had never come. One that is in force stays. */
export async function deletePromoSet(executor: Executor, { appId, setId }: PromoSetKey): Promise<void> {
  await rows(executor, `DELETE FROM promo_sets WHERE app_id = $1 AND set_id = $2 AND state <> 'in_force'`, [
    appId,
    setId,
  ]);
}
