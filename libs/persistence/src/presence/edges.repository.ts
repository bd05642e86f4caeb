import type { DeviceId } from '@postrider/domain';
import { literal, sql, type Sql, parameter } from '../sql';
import { Inject, Injectable } from '@nestjs/common';
import { type Database, DATABASE, rows } from '../database/executor';

/** An edge whose heartbeat is older than this is gone, and its devices are offline. */
export const EDGE_SILENCE_MS = 6_000;

/** The same as SQL. */
const EDGE_SILENCE = sql`interval ${literal(`${EDGE_SILENCE_MS} milliseconds`)}`;

/** Whether the edge in row `alias` of `edges` is alive, as SQL. */
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

/** How long a silent edge's rows stay: it may only have been stalled. */
const FORGET_AFTER = sql`interval '1 minute'`;

/** The device edges that run, and the connections that each has still to close. */
@Injectable()
export class EdgesRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * Says that an edge is alive. The clock is PostgreSQL's, so that those of the machines do not matter.
   *
   * @returns whether it was thought dead meanwhile: what was routed then did not reckon with its connections
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

  /** Takes an edge away, and the presence of its connections with it. For one that stops. */
  async remove(edgeId: string): Promise<void> {
    const edge = parameter(edgeId);
    await rows(
      this.database,
      sql`WITH gone AS (DELETE FROM presence WHERE edge_id = ${edge}),
            told AS (DELETE FROM connection_closures WHERE edge_id = ${edge})
          DELETE FROM edges WHERE edge_id = ${edge}`,
    );
  }

  /** Forgets edges that died, at most `limit` presence rows of theirs at a time. @returns whether there may be more */
  async removeDead(limit: number): Promise<boolean> {
    const most = parameter(limit);
    const [removed] = await rows<{ presences: number }>(
      this.database,
      sql`WITH dead AS (
            SELECT edge_id FROM edges WHERE heartbeat_at < now() - ${FORGET_AFTER}
          ), gone AS (
            DELETE FROM presence p WHERE (p.app_id, p.id) IN (
              SELECT app_id, id FROM presence WHERE edge_id IN (SELECT edge_id FROM dead)
                OR edge_id NOT IN (SELECT edge_id FROM edges) LIMIT ${most}
            ) RETURNING 1
          ), told AS (
            DELETE FROM connection_closures WHERE edge_id IN (SELECT edge_id FROM dead)
          ), forgotten AS (
            DELETE FROM edges e USING dead WHERE e.edge_id = dead.edge_id AND (SELECT count(*) FROM gone) < ${most}
          )
          SELECT count(*)::integer AS presences FROM gone`,
    );
    return (removed?.presences ?? 0) >= limit;
  }

  /** The edges that have still to close connections of a device, those that are alive. */
  async findClosing(appId: string, deviceId: DeviceId): Promise<string[]> {
    const found = await rows<{ edgeId: string }>(
      this.database,
      sql`SELECT DISTINCT c.edge_id AS "edgeId" FROM connection_closures c JOIN edges e ON e.edge_id = c.edge_id
          WHERE c.app_id = ${appId} AND c.device_id = ${deviceId} AND ${edgeIsAlive(sql`e`)}`,
    );
    return found.map(({ edgeId }) => edgeId);
  }

  /** What an edge has to close, in the order in which it was said. It stays until `removeClosures`. */
  async findClosures(edgeId: string): Promise<Closure[]> {
    return rows<Closure>(
      this.database,
      sql`SELECT id::text AS id, app_id AS "appId", device_id::text AS "deviceId", epoch::text AS epoch, reason
          FROM connection_closures WHERE edge_id = ${edgeId} ORDER BY id`,
    );
  }

  /** Takes away what an edge has closed. Whoever waits for a connection to be closed (`findClosing`) goes on. */
  async removeClosures(edgeId: string, closures: readonly Pick<Closure, 'id'>[]): Promise<void> {
    await rows(
      this.database,
      sql`DELETE FROM connection_closures
          WHERE edge_id = ${edgeId} AND id = ANY (${closures.map(({ id }) => id)}::bigint[])`,
    );
  }
}
