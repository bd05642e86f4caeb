import type { Channel } from '@postrider/domain';
import type { Executor } from '../database/executor';
import { preparedRows } from '../database/prepared-rows';

/** What an edge has to know of an installation that connects. */
export interface ConnectingDevice {
  appId: string;
  installationId: string;
  deviceId: string;
  userId: string;
  deviceType: string | null;
  /** Its memberships beside the default channels. */
  channels: Channel[];
  /** What its session kept; null when there is none, or it is over or another user's. */
  subscriptions: Record<string, number> | null;
  /** What it was sent and did not acknowledge: packet identifiers by message id. */
  inFlight: Record<string, number> | null;
}

/** Finds installations that want to connect, all in one statement. Unknown ones are not among those returned. */
export async function findConnectingDevices(
  executor: Executor,
  asked: readonly { appId: string; installationId: string }[],
  now: Date,
): Promise<ConnectingDevice[]> {
  return preparedRows<ConnectingDevice>(executor, FIND_CONNECTING_DEVICES, [
    asked.map(({ appId }) => appId),
    asked.map(({ installationId }) => installationId),
    now,
  ]);
}

const FIND_CONNECTING_DEVICES = `
  SELECT i.app_id AS "appId", i.installation_id AS "installationId", i.id::text AS "deviceId", i.user_id AS "userId",
    i.device_type AS "deviceType", i.channels, s.subscriptions, s.in_flight AS "inFlight"
  FROM unnest($1::text[], $2::uuid[]) AS asked (app_id, installation_id)
  CROSS JOIN LATERAL (
    SELECT * FROM installations WHERE app_id = asked.app_id AND installation_id = asked.installation_id LIMIT 1
  ) i
  LEFT JOIN connection_sessions s ON s.app_id = i.app_id AND s.id = i.id AND s.user_id = i.user_id
    AND (s.expires_at IS NULL OR s.expires_at > $3)`;
