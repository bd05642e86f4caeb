import { Inject, Injectable } from '@nestjs/common';
import type { DeviceId, Channel } from '@postrider/domain';
import { type Database, DATABASE, rows } from '../database/executor';
import { preparedRows, rowsPlannedOnceByKeys } from '../database/prepared-rows';
import { sql } from '../sql';
import type { Connection } from '../edges/edges.repository';

/** What an edge needs to know about an installation that connects. */
export interface ConnectingDevice {
  appId: string;
  installationId: string;
  deviceId: DeviceId;
  userId: string;
  deviceType: string | null;
  /** Its memberships beside the default channels. */
  channels: Channel[];
  /** What its session kept. Null if there is no session, or it is over or belongs to another user. */
  subscriptions: Record<string, number> | null;
  /** Messages that it was sent and did not acknowledge: packet identifiers by message id. */
  inFlight: Record<string, number> | null;
  /** Packet identifiers of publishes of QoS 2 that were accepted and that it did not release. */
  unreleased: number[] | null;
  /** True if the session would end at some time. */
  sessionEnds: boolean;
  /** Its connection to an edge, which may be dead. Null: it is not connected. */
  connection: Pick<Connection, 'edgeId' | 'epoch'> | null;
}

/** The state of a session to keep. With `subscriptions` null the session ends. */
export interface KeptSession {
  appId: string;
  deviceId: DeviceId;
  userId: string;
  subscriptions: Readonly<Record<string, number>> | null;
  /** How long it outlives the connection. Null: for ever. */
  expirySeconds: number | null;
  /** The channels among them, without the default ones. */
  channels: readonly Channel[];
}

/** The sessions of devices' own connections: what is kept while a device is away. */
@Injectable()
export class ConnectionSessionsRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** Finds installations that want to connect, with their sessions, in one statement. Unknown ones are left out. */
  async findConnecting(
    asked: readonly { appId: string; installationId: string }[],
    now: Date,
  ): Promise<ConnectingDevice[]> {
    const appIds = asked.map(({ appId }) => appId);
    const installationIds = asked.map(({ installationId }) => installationId);
    return rowsPlannedOnceByKeys<ConnectingDevice>(
      this.database,
      sql`SELECT i.app_id AS "appId", i.installation_id AS "installationId", i.id::text AS "deviceId", i.user_id AS "userId",
            i.device_type AS "deviceType", i.channels, s.subscriptions, s.in_flight AS "inFlight",
            s.unreleased,
            (s.expires_at IS NOT NULL OR s.expiry_seconds IS NOT NULL) AS "sessionEnds",
            CASE WHEN p.epoch IS NOT NULL THEN jsonb_build_object('edgeId', p.edge_id, 'epoch', p.epoch::text) END AS connection
          FROM unnest(${appIds}::text[], ${installationIds}::uuid[]) AS asked (app_id, installation_id)
          CROSS JOIN LATERAL (
            SELECT * FROM installations WHERE app_id = asked.app_id AND installation_id = asked.installation_id LIMIT 1
          ) i
          LEFT JOIN connection_sessions s ON s.app_id = i.app_id AND s.id = i.id AND s.user_id = i.user_id
            AND (s.expires_at IS NULL OR s.expires_at > ${now})
          LEFT JOIN presence p ON p.app_id = i.app_id AND p.id = i.id`,
    );
  }

  /** Stores sessions or ends them, in one statement. A session of a device that is gone is left out. */
  async save(sessions: readonly KeptSession[], now: Date): Promise<void> {
    const subscriptions = sessions.map((kept) => kept.subscriptions && JSON.stringify(kept.subscriptions));
    const channels = sessions.map((kept) => JSON.stringify(kept.channels));
    await preparedRows(
      this.database,
      sql`WITH asked AS (
            SELECT * FROM unnest(${sessions.map(({ appId }) => appId)}::text[],
                ${sessions.map(({ deviceId }) => deviceId)}::bigint[], ${sessions.map(({ userId }) => userId)}::text[],
                ${subscriptions}::text[], ${channels}::text[],
                ${sessions.map(({ expirySeconds }) => expirySeconds)}::bigint[])
              AS a (app_id, id, user_id, subscriptions, channels, expiry_seconds)
          ), ended AS (
            DELETE FROM connection_sessions s USING asked a
            WHERE a.subscriptions IS NULL AND s.app_id = a.app_id AND s.id = a.id
          )
          INSERT INTO connection_sessions (app_id, id, user_id, subscriptions, channels, expiry_seconds, updated_at)
          SELECT a.app_id, a.id, a.user_id, a.subscriptions::jsonb,
            ARRAY(SELECT jsonb_array_elements_text(a.channels::jsonb)), a.expiry_seconds, ${now}
          FROM asked a JOIN installations i ON i.app_id = a.app_id AND i.id = a.id AND i.user_id = a.user_id
          WHERE a.subscriptions IS NOT NULL
          ORDER BY a.app_id, a.id
          ON CONFLICT (app_id, id) DO UPDATE
          SET user_id = excluded.user_id, subscriptions = excluded.subscriptions, channels = excluded.channels,
            expires_at = NULL, expiry_seconds = excluded.expiry_seconds, in_flight = NULL, unreleased = NULL,
            updated_at = excluded.updated_at`,
    );
  }

  /**
   * Deletes sessions that ended before a moment, at most `limit`. One whose device connects meanwhile stays.
   *
   * @returns how many were deleted
   */
  async deleteEnded(before: Date, limit: number): Promise<number> {
    const deleted = await rows(
      this.database,
      sql`DELETE FROM connection_sessions WHERE expires_at < ${before} AND (app_id, id) IN (
            SELECT app_id, id FROM connection_sessions WHERE expires_at < ${before} ORDER BY expires_at LIMIT ${limit})
          RETURNING 1`,
    );
    return deleted.length;
  }
}
