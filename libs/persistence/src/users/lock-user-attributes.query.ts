import type { JsonObject } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';
import { SHOWN } from '../devices/user-proof';

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

/** Adds a user whom nobody has heard of yet, without a device; one who is known stays as they are. */
export async function makeUser(executor: Executor, appId: string, userId: string): Promise<void> {
  await rows(executor, `INSERT INTO users (app_id, user_id) VALUES ($1, $2) ON CONFLICT (app_id, user_id) DO NOTHING`, [
    appId,
    userId,
  ]);
}

/** A user who is held until the transaction ends, and what one of their devices may change. */
export interface UserOfDevice {
  attributes: JsonObject;
  /** Attributes that only a device which proved its user changes. */
  protectedAttributes: string[];
  /** Whether this device proved its user. */
  isProved: boolean;
  /** The day in UTC by PostgreSQL's clock, on which gateways whose clocks differ agree: `2026-01-31`. */
  today: string;
}

/** A device's user, as `lockUserAttributes` holds them, and what the device may change. Null for an unknown user. */
export async function lockUserOfDevice(
  executor: Executor,
  { appId, deviceId, userId }: { appId: string; deviceId: string; userId: string },
): Promise<UserOfDevice | null> {
  const found = await rows<UserOfDevice>(
    executor,
    `SELECT u.attributes, a.protected_attributes AS "protectedAttributes",
       coalesce((SELECT i.user_proof = ${SHOWN} FROM installations i WHERE i.app_id = $1 AND i.id = $3 AND i.user_id = $2), false)
         AS "isProved", (now() AT TIME ZONE 'UTC')::date::text AS today
     FROM users u JOIN applications a ON a.app_id = u.app_id
     WHERE u.app_id = $1 AND u.user_id = $2 FOR NO KEY UPDATE OF u`,
    [appId, userId, deviceId],
  );
  return found[0] ?? null;
}
