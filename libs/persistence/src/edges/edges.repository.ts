import type { DeviceId } from '@postrider/domain';
import { literal, sql, type Sql, parameter } from '../sql';
import { Inject, Injectable } from '@nestjs/common';
import { type Database, DATABASE, rows } from '../database/executor';

/** An edge whose heartbeat is older than this counts as dead, and its devices as offline. */
export const EDGE_SILENCE_MS = 6_000;

/** The same as SQL. */
const EDGE_SILENCE = sql`interval ${literal(`${EDGE_SILENCE_MS} milliseconds`)}`;

/** SQL for "the edge in row `alias` of `edges` is alive". */
export function edgeIsAlive(alias: Sql): Sql {
  return sql`${alias}.heartbeat_at > now() - ${EDGE_SILENCE}`;
}

/** Why an edge has to close a connection. */
export type ClosureReason = 'taken_over' | 'changed_hands' | 'removed';

/** A connection that its edge has to close, unless the device has a newer one there. */
export interface Closure {
  id: string;
  appId: string;
  deviceId: DeviceId;
  epoch: string;
  reason: ClosureReason;
}

/** A connection of a device to an edge. */
export interface Connection {
  appId: string;
  deviceId: DeviceId;
  edgeId: string;
  epoch: string;
}

/** How long the rows of a silent edge stay: it may only have been stalled. */
const FORGET_AFTER = sql`interval '1 minute'`;

const LOOKED_AT = 10_000;

/**
 * SQL that lets the sessions of the devices in `gone` run out from `gone.seen_at` on: their edge did not write the ends of
 * their connections.
 */
const RUN_OUT = sql`
            UPDATE connection_sessions s
            SET expires_at = gone.seen_at + make_interval(secs => s.expiry_seconds), expiry_seconds = NULL
            FROM gone WHERE s.app_id = gone.app_id AND s.id = gone.id AND s.expiry_seconds IS NOT NULL`;

/** The running device edges, and the connections that each has to close. */
@Injectable()
export class EdgesRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * Records that an edge is alive. It uses PostgreSQL's clock, so that the clocks of the machines do not matter.
   *
   * @returns true if the edge was considered dead meanwhile: messages that were routed then did not use its connections
   */
  async beat(edgeId: string): Promise<boolean> {
    const edge = parameter(edgeId);
    const [beat] = await rows<{ wasDead: boolean }>(
      this.database,
      sql`WITH former AS (SELECT heartbeat_at FROM edges WHERE edge_id = ${edge}), beat AS (
            INSERT INTO edges (edge_id, heartbeat_at) VALUES (${edge}, now())
            ON CONFLICT (edge_id) DO UPDATE SET heartbeat_at = excluded.heartbeat_at
          )
          SELECT coalesce((SELECT heartbeat_at <= now() - ${EDGE_SILENCE} FROM former), true) AS "wasDead"`,
    );
    return beat?.wasDead ?? true;
  }

  /** Returns for how many seconds no edge was heard. Null: there is none, or all have been silent for over a minute. */
  async secondsUnheard(): Promise<number | null> {
    const [found] = await rows<{ seconds: number | null }>(
      this.database,
      sql`SELECT extract(epoch FROM now() - max(heartbeat_at))::float8 AS seconds FROM edges`,
    );
    return found?.seconds ?? null;
  }

  /**
   * True if edges are needed: a device has connected before, or one of the first `LOOKED_AT` devices is registered for a
   * connection. In an installation without connections each of its devices would have to be read to find none.
   */
  async areNeeded(): Promise<boolean> {
    const [found] = await rows<{ areNeeded: boolean }>(
      this.database,
      sql`SELECT (SELECT is_called FROM presence_epochs)
            OR EXISTS (SELECT 1 FROM (SELECT realtime FROM installations LIMIT ${literal(String(LOOKED_AT))}) i WHERE i.realtime)
            AS "areNeeded"`,
    );
    return found?.areNeeded ?? false;
  }

  /** Deletes an edge that stops, with the presence of its connections. The expiry of their sessions starts now. */
  async remove(edgeId: string): Promise<void> {
    const edge = parameter(edgeId);
    await rows(
      this.database,
      sql`WITH gone AS (DELETE FROM presence WHERE edge_id = ${edge} RETURNING app_id, id, now() AS seen_at),
            running_out AS (${RUN_OUT}),
            told AS (DELETE FROM connection_closures WHERE edge_id = ${edge})
          DELETE FROM edges WHERE edge_id = ${edge}`,
    );
  }

  /**
   * Deletes edges that died, at most `limit` of their presence rows at a time. A device that connects to another edge at
   * this moment stays present there: a row that has another epoch by then is not deleted. The expiry of the sessions starts
   * with the last heartbeat. @returns true if there may be more
   */
  async removeDead(limit: number): Promise<boolean> {
    const most = parameter(limit);
    const [removed] = await rows<{ presences: number }>(
      this.database,
      sql`WITH dead AS (
            SELECT edge_id FROM edges WHERE heartbeat_at < now() - ${FORGET_AFTER}
          ), left_over AS MATERIALIZED (
            SELECT app_id, id, epoch FROM presence WHERE edge_id IN (SELECT edge_id FROM dead)
              OR edge_id NOT IN (SELECT edge_id FROM edges) LIMIT ${most}
          ), gone AS (
            DELETE FROM presence p USING left_over l WHERE p.app_id = l.app_id AND p.id = l.id AND p.epoch = l.epoch
            RETURNING p.app_id, p.id,
              coalesce((SELECT heartbeat_at FROM edges e WHERE e.edge_id = p.edge_id), now()) AS seen_at
          ), running_out AS (${RUN_OUT}
          ), told AS (
            DELETE FROM connection_closures WHERE edge_id IN (SELECT edge_id FROM dead)
          ), forgotten AS (
            DELETE FROM edges e USING dead WHERE e.edge_id = dead.edge_id AND e.heartbeat_at < now() - ${FORGET_AFTER}
              AND (SELECT count(*) FROM left_over) < ${most}
          )
          SELECT count(*)::integer AS presences FROM left_over`,
    );
    return (removed?.presences ?? 0) >= limit;
  }

  /** Finds the living edges that still have to close connections of a device. */
  async findClosing(appId: string, deviceId: DeviceId): Promise<string[]> {
    const found = await rows<{ edgeId: string }>(
      this.database,
      sql`SELECT DISTINCT c.edge_id AS "edgeId" FROM connection_closures c JOIN edges e ON e.edge_id = c.edge_id
          WHERE c.app_id = ${appId} AND c.device_id = ${deviceId} AND ${edgeIsAlive(sql`e`)}`,
    );
    return found.map(({ edgeId }) => edgeId);
  }

  /**
   * Asks edges to close connections, because their devices connect to another edge.
   *
   * @returns those that are open, on edges that are alive
   */
  async askToClose(connections: readonly Connection[]): Promise<Connection[]> {
    const appIds = connections.map(({ appId }) => appId);
    const deviceIds = connections.map(({ deviceId }) => deviceId);
    const epochs = connections.map(({ epoch }) => epoch);
    return rows<Connection>(
      this.database,
      sql`INSERT INTO connection_closures (edge_id, app_id, device_id, epoch, reason)
          SELECT p.edge_id, p.app_id, p.id, p.epoch, 'taken_over'
          FROM unnest(${appIds}::text[], ${deviceIds}::bigint[], ${epochs}::bigint[]) AS asked (app_id, id, epoch)
          JOIN presence p ON p.app_id = asked.app_id AND p.id = asked.id AND p.epoch = asked.epoch
          JOIN edges e ON e.edge_id = p.edge_id AND ${edgeIsAlive(sql`e`)}
          RETURNING app_id AS "appId", device_id::text AS "deviceId", edge_id AS "edgeId", epoch::text AS epoch`,
    );
  }

  /**
   * Lists the connections that an edge has to close, in the order of the requests. They stay until `removeClosures`.
   */
  async findClosures(edgeId: string): Promise<Closure[]> {
    return rows<Closure>(
      this.database,
      sql`SELECT id::text AS id, app_id AS "appId", device_id::text AS "deviceId", epoch::text AS epoch, reason
          FROM connection_closures WHERE edge_id = ${edgeId} ORDER BY id`,
    );
  }

  /** Deletes closures that an edge has carried out. Callers that wait for them (`findClosing`) go on. */
  async removeClosures(edgeId: string, closures: readonly Pick<Closure, 'id'>[]): Promise<void> {
    await rows(
      this.database,
      sql`DELETE FROM connection_closures
          WHERE edge_id = ${edgeId} AND id = ANY (${closures.map(({ id }) => id)}::bigint[])`,
    );
  }
}
