import type { RoutableDevice } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';
import { isProvedIn } from '../devices/user-proof';
import { edgeIsAlive } from '../presence/edge-silence';
import { Sql, sql } from '../sql';

/** One of a user's devices, with what decides how it is reached. */
export interface UserDevice extends RoutableDevice {
  deviceId: number;
  userId: string;
}

/** The devices of these users, each user's last used ones first, at most `limit` of each. */
export async function findUsersDevices(
  executor: Executor,
  appId: string,
  userIds: readonly string[],
  limit: number,
): Promise<UserDevice[]> {
  return rows<UserDevice>(
    executor,
    `SELECT i.id::float8 AS "deviceId", i.user_id AS "userId", i.push_type AS "pushType",
       i.token IS NOT NULL AS "hasToken", i.token_status AS "tokenStatus", i.uses_connection AS "usesConnection",
       ${isProvedIn(new Sql(['$1'], [])).toQuery().text} AS "isProved",
       EXISTS (
         SELECT 1 FROM presence p JOIN edges e ON e.edge_id = p.edge_id AND ${edgeIsAlive(sql`e`).toQuery().text}
         WHERE p.app_id = $1 AND p.id = i.id
       ) AS "isConnected"
     FROM unnest($2::text[]) WITH ORDINALITY AS wanted (user_id, place)
     CROSS JOIN LATERAL (
       SELECT * FROM installations WHERE app_id = $1 AND user_id = wanted.user_id ORDER BY launch_time DESC, id LIMIT $3
     ) i
     ORDER BY wanted.place, i.launch_time DESC, i.id`,
    [appId, userIds, limit],
  );
}
