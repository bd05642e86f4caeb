import type { JsonObject } from '@postrider/domain';
import { erasedKeyOf, type Executor, rows } from '@postrider/persistence';

/** A request that was carried out under a key. */
export interface KeptAnswer {
  requestHash: Buffer;
  answer: JsonObject;
}

/**
 * Takes the key for the rest of the transaction, without waiting. The lock goes with the transaction, however it ends: a
 * gateway that dies leaves nothing behind that would block a retry.
 *
 * @returns false when another request holds it now
 */
export async function tryLockKey(executor: Executor, appId: string, key: string): Promise<boolean> {
  const [row] = await rows<{ locked: boolean }>(
    executor,
    `SELECT pg_try_advisory_xact_lock(hashtextextended($1 || chr(10) || $2, 0)) AS locked`,
    [appId, key],
  );
  return row?.locked === true;
}

/** The answer kept under the key since `since`, or null. */
export async function findKeptAnswer(
  executor: Executor,
  appId: string,
  key: string,
  since: Date,
): Promise<KeptAnswer | null> {
  const [row] = await rows<KeptAnswer>(
    executor,
    `SELECT request_hash AS "requestHash", answer FROM idempotency_keys
      WHERE app_id = $1 AND key IN ($2, ${erasedKeyOf('$1::text', '$2::text')}) AND created_at > $3 AND answer IS NOT NULL`,
    [appId, key, since],
  );
  return row ?? null;
}

/** Keeps the answer under the key; one that is older than the kept time gives way. */
export async function keepAnswer(
  executor: Executor,
  appId: string,
  key: string,
  kept: KeptAnswer & { at: Date },
): Promise<void> {
  await rows(
    executor,
    `INSERT INTO idempotency_keys (app_id, key, request_hash, answer, locked_at, created_at)
     VALUES ($1, $2, $3, $4, $5, $5)
     ON CONFLICT (app_id, key) DO UPDATE
       SET request_hash = excluded.request_hash, answer = excluded.answer, locked_at = excluded.locked_at,
           created_at = excluded.created_at`,
    [appId, key, kept.requestHash, JSON.stringify(kept.answer), kept.at],
  );
}
