import { type Executor, rows } from '../database/executor';
import { EDGE_SILENCE } from './edge-silence';

/**
 * Says that an edge is alive. The clock is PostgreSQL's, so that those of the machines do not matter.
 *
 * @returns whether it was thought dead meanwhile: what was routed then did not reckon with its connections
 */
export async function beatEdge(executor: Executor, edgeId: string): Promise<boolean> {
  const [beat] = await rows<{ wasDead: boolean }>(
    executor,
    `WITH former AS (SELECT heartbeat_at FROM edges WHERE edge_id = $1), beat AS (
       INSERT INTO edges (edge_id, heartbeat_at) VALUES ($1, now())
       ON CONFLICT (edge_id) DO UPDATE SET heartbeat_at = excluded.heartbeat_at
     )
     SELECT coalesce((SELECT heartbeat_at <= now() - ${EDGE_SILENCE.toQuery().text} FROM former), true) AS "wasDead"`,
    [edgeId],
  );
  return beat?.wasDead ?? true;
}

/** Takes an edge away, and the presence of its connections with it. For one that stops. */
export async function removeEdge(executor: Executor, edgeId: string): Promise<void> {
  await rows(
    executor,
    `WITH gone AS (DELETE FROM presence WHERE edge_id = $1), told AS (DELETE FROM connection_closures WHERE edge_id = $1)
     DELETE FROM edges WHERE edge_id = $1`,
    [edgeId],
  );
}

/** How long a silent edge's rows stay: it may only have been stalled. */
const FORGET_AFTER = `interval '1 minute'`;

/** Forgets edges that died, at most `limit` presence rows of theirs at a time. @returns whether there may be more */
export async function removeDeadEdges(executor: Executor, limit: number): Promise<boolean> {
  const [removed] = await rows<{ presences: number }>(
    executor,
    `WITH dead AS (
       SELECT edge_id FROM edges WHERE heartbeat_at < now() - ${FORGET_AFTER}
     ), gone AS (
       DELETE FROM presence p WHERE (p.app_id, p.id) IN (
         SELECT app_id, id FROM presence WHERE edge_id IN (SELECT edge_id FROM dead)
           OR edge_id NOT IN (SELECT edge_id FROM edges) LIMIT $1
       ) RETURNING 1
     ), told AS (
       DELETE FROM connection_closures WHERE edge_id IN (SELECT edge_id FROM dead)
     ), forgotten AS (
       DELETE FROM edges e USING dead WHERE e.edge_id = dead.edge_id AND (SELECT count(*) FROM gone) < $1
     )
     SELECT count(*)::integer AS presences FROM gone`,
    [limit],
  );
  return (removed?.presences ?? 0) >= limit;
}
