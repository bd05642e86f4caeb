import { literal, sql, type Sql } from '../sql';

/** An edge whose heartbeat is older than this is gone, and its devices are offline. */
export const EDGE_SILENCE_MS = 6_000;

/** The same as SQL. */
export const EDGE_SILENCE = sql`interval ${literal(`${EDGE_SILENCE_MS} milliseconds`)}`;

/** Whether the edge in row `alias` of `edges` is alive, as SQL. */
export function edgeIsAlive(alias: Sql): Sql {
  return sql`${alias}.heartbeat_at > now() - ${EDGE_SILENCE}`;
}
