import type { Executor } from '../database/executor';
import { preparedRows } from '../database/prepared-rows';

/** A connection that is over. */
export interface Departure {
  appId: string;
  deviceId: string;
  epoch: string;
  /** When its session ends, if the device does not come back; null: never, or it has none. */
  sessionExpiresAt: Date | null;
}

/**
 * Ends the presence of devices whose connections are over, unless another connection has taken its place. They count as
 * seen now, and sessions that are to end begin to run out.
 */
export async function leavePresence(executor: Executor, departures: readonly Departure[], now: Date): Promise<void> {
  await preparedRows(executor, LEAVE_PRESENCE, [
    departures.map(({ appId }) => appId),
    departures.map(({ deviceId }) => deviceId),
    departures.map(({ epoch }) => epoch),
    departures.map(({ sessionExpiresAt }) => sessionExpiresAt),
    now,
  ]);
}

/** Locked in the order in which whoever removes an installation locks: it, and then its presence. */
const LEAVE_PRESENCE = `
  WITH left_ones AS (
    SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::timestamptz[]) AS l (app_id, id, epoch, expires_at)
  ), held AS MATERIALIZED (
    SELECT i.app_id, i.id FROM installations i JOIN left_ones l ON i.app_id = l.app_id AND i.id = l.id
    ORDER BY i.app_id, i.id FOR NO KEY UPDATE OF i
  ), gone AS (
    DELETE FROM presence p USING left_ones l
    WHERE p.app_id = l.app_id AND p.id = l.id AND p.epoch = l.epoch AND (SELECT count(*) FROM held) >= 0
    RETURNING p.app_id, p.id, l.expires_at
  ), running_out AS (
    UPDATE connection_sessions s SET expires_at = gone.expires_at
    FROM gone WHERE gone.expires_at IS NOT NULL AND s.app_id = gone.app_id AND s.id = gone.id
  )
  UPDATE installations i SET connected_at = $5 FROM gone WHERE i.app_id = gone.app_id AND i.id = gone.id`;
