import type { Executor } from '../database/executor';
import { preparedRows } from '../database/prepared-rows';

/** A connection that is over. */
export interface Departure {
  appId: string;
  deviceId: string;
  epoch: string;
  /** When its session ends, if the device does not come back; null: never, or it has none. */
  sessionExpiresAt: Date | null;
  /** What was sent and not acknowledged: packet identifiers by message id; null: nothing. */
  inFlight: Readonly<Record<string, number>> | null;
}

/**
 * Ends the presence of devices whose connections are over, unless another connection has taken its place. They count as
 * seen now; sessions keep what was in flight, and those that are to end begin to run out.
 */
export async function leavePresence(executor: Executor, departures: readonly Departure[], now: Date): Promise<void> {
  await preparedRows(executor, LEAVE_PRESENCE, [
    departures.map(({ appId }) => appId),
    departures.map(({ deviceId }) => deviceId),
    departures.map(({ epoch }) => epoch),
    departures.map(({ sessionExpiresAt }) => sessionExpiresAt),
    now,
    departures.map(({ inFlight }) => (inFlight === null ? null : JSON.stringify(inFlight))),
  ]);
}

/** Locked in the order in which whoever removes an installation locks: it, and then its presence. */
const LEAVE_PRESENCE = `
  WITH left_ones AS (
    SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::timestamptz[], $6::text[])
      AS l (app_id, id, epoch, expires_at, in_flight)
  ), held AS MATERIALIZED (
    SELECT i.app_id, i.id FROM installations i JOIN left_ones l ON i.app_id = l.app_id AND i.id = l.id
    ORDER BY i.app_id, i.id FOR NO KEY UPDATE OF i
  ), gone AS (
    DELETE FROM presence p USING left_ones l
    WHERE p.app_id = l.app_id AND p.id = l.id AND p.epoch = l.epoch AND (SELECT count(*) FROM held) >= 0
    RETURNING p.app_id, p.id, l.expires_at, l.in_flight::jsonb AS in_flight
  ), running_out AS (
    UPDATE connection_sessions s SET expires_at = gone.expires_at, in_flight = gone.in_flight
    FROM gone WHERE s.app_id = gone.app_id AND s.id = gone.id
      AND (gone.expires_at IS NOT NULL OR s.in_flight IS DISTINCT FROM gone.in_flight)
  )
  UPDATE installations i SET connected_at = $5 FROM gone WHERE i.app_id = gone.app_id AND i.id = gone.id`;
