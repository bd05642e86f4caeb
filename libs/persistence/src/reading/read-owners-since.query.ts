import { type Executor, rows } from '../database/executor';

/** Since when each of these devices has belonged to its present owner, by the device's number. */
export async function readOwnersSince(
  executor: Executor,
  appId: string,
  deviceIds: readonly string[],
): Promise<Map<string, Date>> {
  const found = await rows<{ deviceId: string; since: Date }>(
    executor,
    `SELECT id::text AS "deviceId", user_since AS since FROM installations WHERE app_id = $1 AND id = ANY ($2::bigint[])`,
    [appId, deviceIds],
  );
  return new Map(found.map(({ deviceId, since }) => [deviceId, since]));
}
