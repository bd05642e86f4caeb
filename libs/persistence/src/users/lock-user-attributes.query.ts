import type { JsonObject } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';

/** A user's attributes, held until the transaction ends: what is written next loses no change. Null for an unknown user. */
export async function lockUserAttributes(
  executor: Executor,
  appId: string,
  userId: string,
): Promise<JsonObject | null> {
  const found = await rows<{ attributes: JsonObject }>(
    executor,
    `SELECT attributes FROM users WHERE app_id = $1 AND user_id = $2 FOR NO KEY UPDATE`,
    [appId, userId],
  );
  return found[0]?.attributes ?? null;
}

/** Writes a user's attributes, whole. For a row that `lockUserAttributes` holds. */
export async function saveUserAttributes(
  executor: Executor,
  appId: string,
  userId: string,
  attributes: JsonObject,
): Promise<void> {
  await rows(
    executor,
    `UPDATE users SET attributes = $3::jsonb, updated_at = now() WHERE app_id = $1 AND user_id = $2`,
    [appId, userId, JSON.stringify(attributes)],
  );
}
