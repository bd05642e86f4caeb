import { Inject, Injectable } from '@nestjs/common';
import type { DeviceId } from '@postrider/domain';
import { type Database, DATABASE, rows } from '../database/executor';
import { PLAN_ONCE_BY_KEYS, preparedRows } from '../database/prepared-rows';
import { batchRows } from '../database/statement-batch';
import { isProvedIn } from '../devices/user-proof';
import { parameter, sql } from '../sql';
import { type Connection, edgeIsAlive } from '../edges/edges.repository';
import { type Arrival, enterStatements } from './enter-presence.statement';

/** A device that is present now. */
export interface Presence {
  appId: string;
  deviceId: DeviceId;
  /** Larger than the epoch of every earlier connection of this device. */
  epoch: string;
  /** When its present owner got it. */
  userSince: Date;
  /** True if it had another owner before. */
  hasChangedHands: boolean;
}

/** A connection that is over. */
export interface Departure {
  appId: string;
  deviceId: DeviceId;
  epoch: string;
  /** What its stored session becomes. Null: it stays as it is. */
  session: LeftSession | null;
}

/** What a connection that is over leaves to the next one. */
export interface LeftSession {
  /** When the session ends if the device does not come back. Null: never. */
  expiresAt: Date | null;
  /** Messages that were sent and not acknowledged: packet identifiers by message id. Null: none. */
  inFlight: Readonly<Record<string, number>> | null;
  /** Packet identifiers of publishes of QoS 2 that were accepted and not released. Null: none. */
  unreleased: readonly number[] | null;
}

/** Whether an installation is connected, and when it was. */
interface InstallationPresence {
  isOnline: boolean;
  /** Since when it is connected. Null if it is not. */
  connectedAt: Date | null;
  /** When it last connected or disconnected; null: never. */
  lastSeenAt: Date | null;
}

/** Which devices are connected, and to which edge. */
@Injectable()
export class PresenceRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * Makes devices present on an edge, in one transaction. Left out of the answer are devices that are gone, belong to
   * another user by now, or have not proved their user although their application requires that. An edge that held a
   * device until now is told to close that connection. The device counts as launched and seen now.
   *
   * This and a change of owner lock the same row, so one waits for the other and no connection is missed. Nor is that of
   * another edge that makes the device present at the same moment: the second statement sees what was written until the
   * first one got its locks. Their plans look rows up by their keys: a connection that kept its plans from an empty table of
   * presence would read all of it for each batch, or for each device, until PostgreSQL has counted it again.
   */
  async enter(edgeId: string, arrivals: readonly Arrival[], now: Date): Promise<Presence[]> {
    const { lock, enter } = enterStatements(edgeId, arrivals, now);
    const [, , present] = await batchRows(this.database, [PLAN_ONCE_BY_KEYS, lock, enter]);
    return (present ?? []) as unknown as Presence[];
  }

  /**
   * Ends the presence of devices whose connections are over, unless another connection has replaced them. The devices
   * count as seen now. Sessions keep the messages in flight, and the expiry of a session starts now.
   *
   * It locks the installation before its presence, like the removal of an installation. The count of the locked
   * installations makes PostgreSQL lock them first.
   */
  async leave(departures: readonly Departure[], now: Date): Promise<void> {
    const changesSession = departures.map(({ session }) => session !== null);
    const sessionEnds = departures.map(({ session }) => session?.expiresAt ?? null);
    const inFlight = departures.map(({ session }) => (session?.inFlight ? JSON.stringify(session.inFlight) : null));
    const unreleased = departures.map(({ session }) =>
      session?.unreleased ? JSON.stringify(session.unreleased) : null,
    );
    await preparedRows(
      this.database,
      sql`WITH left_ones AS (
            SELECT * FROM unnest(${departures.map(({ appId }) => appId)}::text[],
                ${departures.map(({ deviceId }) => deviceId)}::bigint[], ${departures.map(({ epoch }) => epoch)}::bigint[],
                ${changesSession}::boolean[], ${sessionEnds}::timestamptz[], ${inFlight}::text[], ${unreleased}::text[])
              AS l (app_id, id, epoch, changes_session, expires_at, in_flight, unreleased)
          ), held AS MATERIALIZED (
            SELECT i.app_id, i.id FROM installations i JOIN left_ones l ON i.app_id = l.app_id AND i.id = l.id
            ORDER BY i.app_id, i.id FOR NO KEY UPDATE OF i
          ), gone AS (
            DELETE FROM presence p USING left_ones l
            WHERE p.app_id = l.app_id AND p.id = l.id AND p.epoch = l.epoch AND (SELECT count(*) FROM held) >= 0
            RETURNING p.app_id, p.id, l.changes_session, l.expires_at, l.in_flight::jsonb AS in_flight,
              l.unreleased::jsonb AS unreleased
          ), running_out AS (
            UPDATE connection_sessions s
            SET expires_at = gone.expires_at, expiry_seconds = NULL, in_flight = gone.in_flight,
              unreleased = gone.unreleased
            FROM gone WHERE s.app_id = gone.app_id AND s.id = gone.id AND gone.changes_session
              AND (gone.expires_at IS NOT NULL OR s.expiry_seconds IS NOT NULL
                OR s.in_flight IS DISTINCT FROM gone.in_flight OR s.unreleased IS DISTINCT FROM gone.unreleased)
          )
          UPDATE installations i SET connected_at = ${now} FROM gone WHERE i.app_id = gone.app_id AND i.id = gone.id`,
    );
  }

  /** Counts the devices that are present on an edge, as other processes see them. */
  async count(edgeId: string): Promise<number> {
    const [counted] = await rows<{ devices: number }>(
      this.database,
      sql`SELECT count(*)::integer AS devices FROM presence WHERE edge_id = ${edgeId}`,
    );
    return counted?.devices ?? 0;
  }

  /** Finds the present devices among these, by application and number: the edge of each, and the epoch. */
  async find(devices: readonly { appId: string; deviceId: DeviceId }[]): Promise<Connection[]> {
    const appIds = devices.map(({ appId }) => appId);
    const deviceIds = devices.map(({ deviceId }) => deviceId);
    return rows(
      this.database,
      sql`SELECT p.app_id AS "appId", p.id::text AS "deviceId", p.edge_id AS "edgeId", p.epoch::text AS epoch
          FROM unnest(${appIds}::text[], ${deviceIds}::bigint[]) AS asked (app_id, id)
          JOIN presence p ON p.app_id = asked.app_id AND p.id = asked.id`,
    );
  }

  /** Reads if an installation is connected to a living edge. Null: unknown. */
  async read(appId: string, installationId: string): Promise<InstallationPresence | null> {
    const [found] = await rows<InstallationPresence>(
      this.database,
      sql`SELECT e.edge_id IS NOT NULL AS "isOnline",
            CASE WHEN e.edge_id IS NOT NULL THEN p.connected_at END AS "connectedAt", i.connected_at AS "lastSeenAt"
          FROM installations i
          LEFT JOIN presence p ON p.app_id = i.app_id AND p.id = i.id
          LEFT JOIN edges e ON e.edge_id = p.edge_id AND ${edgeIsAlive(sql`e`)}
          WHERE i.app_id = ${appId} AND i.installation_id = ${installationId}`,
    );
    return found ?? null;
  }

  /**
   * Ends the connections of installations that have not proved their user, if the application requires that: it deletes
   * their presence, and tells their edges to close them.
   *
   * @returns the edges
   */
  async closeUnproved(appId: string): Promise<string[]> {
    const app = parameter(appId);
    const told = await rows<{ edgeId: string }>(
      this.database,
      sql`WITH unproved AS MATERIALIZED (
            SELECT p.id, p.edge_id, p.epoch FROM presence p JOIN installations i ON i.app_id = p.app_id AND i.id = p.id
            WHERE p.app_id = ${app} AND NOT ${isProvedIn(app)}
          ), gone AS (
            DELETE FROM presence p USING unproved u WHERE p.app_id = ${app} AND p.id = u.id AND p.epoch = u.epoch
          ), told AS (
            INSERT INTO connection_closures (edge_id, app_id, device_id, epoch, reason)
            SELECT edge_id, ${app}, id, epoch, 'changed_hands' FROM unproved
            RETURNING edge_id
          )
          SELECT DISTINCT edge_id AS "edgeId" FROM told`,
    );
    return told.map(({ edgeId }) => edgeId);
  }
}
