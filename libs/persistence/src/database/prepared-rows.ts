import { sql, Sql } from '../sql';
import { type Database, type Executor, rows } from './executor';
import { batchRows } from './statement-batch';
import { statementName } from './statement-names';

/** Texts that were given a name. Each stays with every connection that ran it, so there must not be many. */
const MAX_NAMES = 200;
const names = new Map<string, string>();

/**
 * As `rows`, for a statement that is run all the time with the same text: each connection parses it once and, as long as
 * PostgreSQL finds no better plan for some parameters, plans it once. Not for texts that grow with a request (segments):
 * once 200 texts have a name, others run unprepared.
 */
export function preparedRows<Row>(
  executor: Executor,
  statement: Sql | string,
  parameters: readonly unknown[] = [],
): Promise<Row[]> {
  const { text, values } = statement instanceof Sql ? statement.toQuery() : { text: statement, values: parameters };
  const name = nameOf(text);
  if (name === undefined) return rows<Row>(executor, text, values);
  // TypeORM hands the statement to `pg` as it comes, which takes a named one in this form.
  return rows<Row>(executor, { name, text } as unknown as string, values);
}

/**
 * As `preparedRows`, for a statement over all days of the ledger that is seldom run: the first run on a connection plans it for
 * whatever parameters, where PostgreSQL would plan the first five for theirs, which takes many times as long as running it. For
 * statements alone whose plan is the same for all parameters.
 */
export async function rowsPlannedOnce<Row>(database: Database, statement: Sql): Promise<Row[]> {
  const planOnce = sql`SELECT set_config('plan_cache_mode', 'force_generic_plan', true)`;
  const [, found] = await batchRows(database, [planOnce, statement]);
  return (found ?? []) as Row[];
}

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

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MAX_NAMES) return known;
  const name = statementName(text);
  names.set(text, name);
  return name;
}
