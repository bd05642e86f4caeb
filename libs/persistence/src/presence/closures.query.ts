import { type Executor, rows } from '../database/executor';
import { edgeIsAlive } from './edge-silence';
import { sql } from '../sql';

/** Why an edge has to close a connection. */
export type ClosureReason = 'taken_over' | 'changed_hands' | 'removed';

/** A connection that its edge has to close, unless the device has a newer one there. */
export interface Closure {
  appId: string;
  deviceId: string;
  epoch: string;
  reason: ClosureReason;
}

/** The edges that have still to close connections of a device, those that are alive. */
export async function findClosingEdges(executor: Executor, appId: string, deviceId: string): Promise<string[]> {
  const found = await rows<{ edgeId: string }>(
    executor,
    `SELECT DISTINCT c.edge_id AS "edgeId" FROM connection_closures c JOIN edges e ON e.edge_id = c.edge_id
     WHERE c.app_id = $1 AND c.device_id = $2 AND ${edgeIsAlive(sql`e`).toQuery().text}`,
    [appId, deviceId],
  );
  return found.map(({ edgeId }) => edgeId);
}

/** Takes what an edge has to close: each is given once. */
export async function takeClosures(executor: Executor, edgeId: string): Promise<Closure[]> {
  return rows<Closure>(
    executor,
    `DELETE FROM connection_closures WHERE edge_id = $1
     RETURNING app_id AS "appId", device_id::text AS "deviceId", epoch::text AS epoch, reason`,
    [edgeId],
  );
}
