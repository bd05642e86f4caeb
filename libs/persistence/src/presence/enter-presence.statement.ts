import type { DeviceId } from '@postrider/domain';
import { parameter, sql, type Sql } from '../sql';

/** A device that connects, and the user that its client id names. */
export interface Arrival {
  appId: string;
  deviceId: DeviceId;
  userId: string;
}

/**
 * Two statements of one transaction (`PresenceRepository.enter`): `lock` locks the installations of the arrivals, and
 * `enter` makes those that are still there present, as rows of `Presence`.
 *
 * What `enter` returns it knows before it writes: joined with the written rows, of which PostgreSQL expects one, each device
 * would be compared with all others.
 */
export function enterStatements(edgeId: string, arrivals: readonly Arrival[], now: Date): { lock: Sql; enter: Sql } {
  const appIds = parameter(arrivals.map(({ appId }) => appId));
  const deviceIds = parameter(arrivals.map(({ deviceId }) => deviceId));
  const userIds = parameter(arrivals.map(({ userId }) => userId));
  const [edge, at] = [parameter(edgeId), parameter(now)];
  // The installations are found by key, one by one, whatever the statistics say: a query that locks rows is not joined otherwise.
  const held = sql`
    SELECT i.app_id, i.id, i.user_since, i.has_changed_hands
    FROM (SELECT * FROM asked ORDER BY app_id COLLATE "C", id) a CROSS JOIN LATERAL (
      SELECT i.app_id, i.id, i.user_since, i.user_since <> i.created_at AS has_changed_hands
      FROM installations i JOIN applications app ON app.app_id = i.app_id AND i.user_proof >= app.least_proof
      WHERE i.app_id = a.app_id AND i.id = a.id AND i.user_id = a.user_id
      FOR NO KEY UPDATE OF i
    ) i`;
  const asked = sql`
    SELECT * FROM unnest(${appIds}::text[], ${deviceIds}::bigint[], ${userIds}::text[]) AS a (app_id, id, user_id)`;
  // A launch is written once a minute at most: the column is indexed, and a phone on a bad network connects again and
  // again.
  const enter = sql`WITH asked AS (${asked}
  ), held AS MATERIALIZED (${held}
  ), seen AS (
    UPDATE installations i
    SET connected_at = ${at}, launch_time = CASE
      WHEN i.launch_time < ${at}::timestamptz - interval '1 minute' THEN ${at}::timestamptz ELSE i.launch_time END
    FROM held WHERE i.app_id = held.app_id AND i.id = held.id
  ), told AS (
    INSERT INTO connection_closures (edge_id, app_id, device_id, epoch, reason)
    SELECT p.edge_id, p.app_id, p.id, p.epoch, 'taken_over'
    FROM held JOIN presence p ON p.app_id = held.app_id AND p.id = held.id
    WHERE p.edge_id <> ${edge}
  ), entering AS MATERIALIZED (
    SELECT *, nextval('presence_epochs') AS epoch FROM held
  ), entered AS (
    INSERT INTO presence (app_id, id, edge_id, epoch, connected_at)
    SELECT app_id, id, ${edge}, epoch, now() FROM entering
    ON CONFLICT (app_id, id) DO UPDATE
    SET edge_id = excluded.edge_id, epoch = excluded.epoch, connected_at = excluded.connected_at
  )
  SELECT app_id AS "appId", id::text AS "deviceId", epoch::text AS epoch, user_since AS "userSince",
    has_changed_hands AS "hasChangedHands"
  FROM entering`;
  return { lock: sql`WITH asked AS (${asked}) ${held}`, enter };
}
