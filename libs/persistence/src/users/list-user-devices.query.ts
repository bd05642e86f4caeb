import { type Executor, rows } from '../database/executor';
import { type Installation, INSTALLATION_COLUMNS } from '../devices/installation';

/** A user's installations in the order in which they registered, at most `limit` behind the number `afterDeviceId`. */
export async function listUserDevices(
  executor: Executor,
  appId: string,
  userId: string,
  { afterDeviceId, limit }: { afterDeviceId: string; limit: number },
): Promise<Installation[]> {
  return rows<Installation>(
    executor,
    `SELECT ${INSTALLATION_COLUMNS.toQuery().text} FROM installations
     WHERE app_id = $1 AND user_id = $2 AND id > $3::bigint
     ORDER BY id LIMIT $4`,
    [appId, userId, afterDeviceId, limit],
  );
}

/** Installations that were this user's once and are another's now, at most `limit`, as they are now. */
export async function listFormerDevices(
  executor: Executor,
  appId: string,
  userId: string,
  limit: number,
): Promise<Installation[]> {
  return rows<Installation>(
    executor,
    `SELECT ${INSTALLATION_COLUMNS.toQuery().text} FROM installations
     WHERE app_id = $1 AND user_id <> $2
       AND id IN (SELECT device_id FROM former_owners WHERE app_id = $1 AND user_id = $2)
     ORDER BY id LIMIT $3`,
    [appId, userId, limit],
  );
}
