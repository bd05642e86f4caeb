import { type Executor, parameter, rows, sql } from '@postrider/persistence';

/** There are some six hundred names; what devices make up beyond that counts as no zone at all. */
const MOST_ZONES = 2_000;

/** The time zones that an application's devices say they are in. One probe of an index a zone, however many devices. */
export async function listTimeZones(executor: Executor, appId: string): Promise<string[]> {
  const app = parameter(appId);
  const zones = await rows<{ zone: string }>(
    executor,
    sql`WITH RECURSIVE walk AS (
          (SELECT time_zone AS zone FROM installations WHERE app_id = ${app} AND time_zone IS NOT NULL ORDER BY time_zone LIMIT 1)
          UNION ALL
          SELECT (
            SELECT i.time_zone FROM installations i WHERE i.app_id = ${app} AND i.time_zone > walk.zone ORDER BY i.time_zone LIMIT 1
          ) FROM walk WHERE walk.zone IS NOT NULL
        )
        SELECT zone FROM walk WHERE zone IS NOT NULL LIMIT ${MOST_ZONES}`,
  );
  return zones.map(({ zone }) => zone);
}
