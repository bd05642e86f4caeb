import { type Executor, rows } from '../database/executor';
import { isProvedIn } from '../devices/user-proof';
import { Sql } from '../sql';

/**
 * Ends the connections of installations that have not proved their user, where the application requires that: they are
 * present no more, and their edges are told.
 *
 * @returns the edges
 */
export async function closeUnprovedConnections(executor: Executor, appId: string): Promise<string[]> {
  const told = await rows<{ edgeId: string }>(
    executor,
    `WITH unproved AS MATERIALIZED (
       SELECT p.id, p.edge_id, p.epoch FROM presence p JOIN installations i ON i.app_id = p.app_id AND i.id = p.id
       WHERE p.app_id = $1 AND NOT ${isProvedIn(new Sql(['$1'], [])).toQuery().text}
     ), gone AS (
       DELETE FROM presence p USING unproved u WHERE p.app_id = $1 AND p.id = u.id AND p.epoch = u.epoch
     ), told AS (
       INSERT INTO connection_closures (edge_id, app_id, device_id, epoch, reason)
       SELECT edge_id, $1, id, epoch, 'changed_hands' FROM unproved
       RETURNING edge_id
     )
     SELECT DISTINCT edge_id AS "edgeId" FROM told`,
    [appId],
  );
  return told.map(({ edgeId }) => edgeId);
}

/** The applications that began to require user hashes after `since`. */
export async function findLatelyGuarded(executor: Executor, since: Date): Promise<string[]> {
  const found = await rows<{ appId: string }>(
    executor,
    `SELECT app_id AS "appId" FROM applications WHERE require_user_hash AND user_hash_required_at > $1`,
    [since],
  );
  return found.map(({ appId }) => appId);
}
