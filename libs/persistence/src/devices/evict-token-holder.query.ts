import type { PushVendor } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';
import { tokenKey } from './token-key';

/** An installation that is about to get a vendor token, and whose it will be. */
export interface TokenTaker {
  installationId: string;
  userId: string;
  pushType: PushVendor;
  token: string;
}

/**
 * Removes the installation that holds a vendor token which now belongs to another one: one token is one device, and that
 * device says who it is. The new owner is
 * held first, and then both installations, in the order of their numbers, as everywhere.
 *
 * @returns the device ids that went
 */
export async function evictTokenHolder(
  executor: Executor,
  appId: string,
  { installationId, userId, pushType, token }: TokenTaker,
): Promise<string[]> {
  const gone = await rows<{ deviceId: string }>(
    executor,
    `WITH owner AS MATERIALIZED (SELECT 1 FROM users WHERE app_id = $1 AND user_id = $5 FOR SHARE), found AS (
       SELECT id FROM installations WHERE app_id = $1 AND installation_id = $2
       UNION
       SELECT id FROM installations
       WHERE app_id = $1 AND push_type = $3 AND token IS NOT NULL
         AND ${tokenKey('push_type', 'token')} = ${tokenKey('$3::text', '$4::text')}
     ), held AS MATERIALIZED (
       SELECT id, installation_id, push_type, token FROM installations
       WHERE (SELECT count(*) FROM owner) >= 0 AND app_id = $1 AND id = ANY (ARRAY(SELECT id FROM found))
       ORDER BY id FOR UPDATE
     )
     DELETE FROM installations WHERE app_id = $1 AND id = ANY (ARRAY(
       SELECT id FROM held WHERE installation_id <> $2 AND push_type = $3 AND token IS NOT NULL
         AND ${tokenKey('push_type', 'token')} = ${tokenKey('$3::text', '$4::text')}))
     RETURNING id AS "deviceId"`,
    [appId, installationId, pushType, token, userId],
  );
  return gone.map(({ deviceId }) => deviceId);
}
