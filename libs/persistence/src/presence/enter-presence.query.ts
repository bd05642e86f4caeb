import type { Executor } from '../database/executor';
import { preparedRows } from '../database/prepared-rows';

/** A device that connects, as the user that its client id names. */
export interface Arrival {
  appId: string;
  deviceId: string;
  userId: string;
}

/** A device that is present now. */
export interface Presence {
  appId: string;
  deviceId: string;
  /** Larger than that of every connection of this device before. */
  epoch: string;
  /** When its present owner took it. */
  userSince: Date;
  /** Whether it had another owner before. */
  hasChangedHands: boolean;
}

/**
 * Makes devices present on an edge, all in one statement, unless one is gone, another user's by now, or has not proved its
 * user where its application requires that: such a one is not among those returned. An edge that held a device until now is told to close that connection. The device counts as
 * launched and seen now.
 *
 * Whoever changes an installation's owner waits for this, or this for him: a connection is never missed.
 */
export async function enterPresence(
  executor: Executor,
  edgeId: string,
  arrivals: readonly Arrival[],
  now: Date,
): Promise<Presence[]> {
  return preparedRows<Presence>(executor, ENTER_PRESENCE, [
    arrivals.map(({ appId }) => appId),
    arrivals.map(({ deviceId }) => deviceId),
    arrivals.map(({ userId }) => userId),
    edgeId,
    now,
  ]);
}

/**
 * A launch is written once a minute at most: the column is indexed, and a phone on a bad network connects all the time.
 * The installations are found by key, one by one, whatever the statistics say.
 */
const ENTER_PRESENCE = `
  WITH asked AS (
    SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[]) AS a (app_id, id, user_id)
  ), held AS MATERIALIZED (
    SELECT i.app_id, i.id, i.user_since, i.user_since <> i.created_at AS has_changed_hands
    FROM installations i JOIN asked a ON i.app_id = a.app_id AND i.id = a.id AND i.user_id = a.user_id
      JOIN applications app ON app.app_id = i.app_id AND i.user_proof >= app.least_proof
    WHERE i.app_id = ANY ($1::text[]) AND i.id = ANY ($2::bigint[])
    ORDER BY i.app_id, i.id FOR NO KEY UPDATE OF i
  ), seen AS (
    UPDATE installations i
    SET connected_at = $5,
      launch_time = CASE WHEN i.launch_time < $5::timestamptz - interval '1 minute' THEN $5::timestamptz ELSE i.launch_time END
    FROM held WHERE i.app_id = held.app_id AND i.id = held.id
  ), told AS (
    INSERT INTO connection_closures (edge_id, app_id, device_id, epoch, reason)
    SELECT p.edge_id, p.app_id, p.id, p.epoch, 'taken_over'
    FROM held JOIN presence p ON p.app_id = held.app_id AND p.id = held.id
    WHERE p.edge_id <> $4
  ), entered AS (
    INSERT INTO presence AS p (app_id, id, edge_id, epoch, connected_at)
    SELECT app_id, id, $4, nextval('presence_epochs'), now() FROM held
    ON CONFLICT (app_id, id) DO UPDATE
    SET edge_id = excluded.edge_id, epoch = excluded.epoch, connected_at = excluded.connected_at
    RETURNING p.app_id, p.id, p.epoch
  )
  SELECT e.app_id AS "appId", e.id::text AS "deviceId", e.epoch::text AS epoch, held.user_since AS "userSince",
    held.has_changed_hands AS "hasChangedHands"
  FROM entered e JOIN held ON held.app_id = e.app_id AND held.id = e.id`;
