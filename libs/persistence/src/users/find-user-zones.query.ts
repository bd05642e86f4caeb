import { type Executor, rows } from '../database/executor';

/** Where users are: the time zone of the device that each used last. Users of whom no device says so are left out. */
export async function findUserZones(
  executor: Executor,
  appId: string,
  userIds: readonly string[],
): Promise<Map<string, string>> {
  const zones = await rows<{ userId: string; zone: string }>(
    executor,
    `SELECT asked.user_id AS "userId", device.time_zone AS zone
     FROM unnest($2::text[]) AS asked (user_id) CROSS JOIN LATERAL (
       SELECT i.time_zone FROM installations i
       WHERE i.app_id = $1 AND i.user_id = asked.user_id AND i.time_zone IS NOT NULL
       ORDER BY i.launch_time DESC LIMIT 1
     ) device`,
    [appId, userIds],
  );
  return new Map(zones.map(({ userId, zone }) => [userId, zone]));
}
