import type { PushVendor } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';
import { tokenKey } from './token-key';

/**
 * Removes the installation that holds a vendor token which now belongs to `installationId`: one token is one device, and that
 * device says who it is.
 *
 * @returns the device ids that went
 */
export async function evictTokenHolder(
  executor: Executor,
  appId: string,
  installationId: string,
  pushType: PushVendor,
  token: string,
): Promise<string[]> {
  const gone = await rows<{ deviceId: string }>(
    executor,
    `DELETE FROM installations
     WHERE app_id = $1 AND installation_id <> $2 AND push_type = $3 AND token IS NOT NULL
       AND ${tokenKey('push_type', 'token')} = ${tokenKey('$3::text', '$4::text')}
     RETURNING id AS "deviceId"`,
    [appId, installationId, pushType, token],
  );
  return gone.map(({ deviceId }) => deviceId);
}
