import type { Sql } from '../sql';
import type { Database } from './executor';
import { rowsPlannedOnce } from './prepared-rows';

/** The last sweep of each pool. */
const lastOf = new WeakMap<Database, Promise<unknown>>();

/**
 * As `rowsPlannedOnce`, for what a process looks for every second or so over all days of the ledger: one after the other. Such a
 * statement takes milliseconds to plan, and nearly none to run. Each connection plans it for itself, and sweeps that began at the same
 * moment would take a connection each, another one each time. In turn they find the connection that the one before them gave back.
 */
export function sweepRows<Row>(database: Database, statement: Sql): Promise<Row[]> {
  const turn = (lastOf.get(database) ?? Promise.resolve()).then(() => rowsPlannedOnce<Row>(database, statement));
  lastOf.set(
    database,
    turn.catch(() => undefined),
  );
  return turn;
}
