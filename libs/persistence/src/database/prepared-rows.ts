import { sql, Sql } from '../sql';
import { type Database, type Executor, rows } from './executor';
import { batchRows } from './statement-batch';
import { preparedName, statementName } from './statement-names';

/** Statements that have a name. Each stays with every connection that ran it, so their number is limited. */
const MAX_NAMES = 200;
const names = new Map<string, string>();

/**
 * Like `rows`, for a statement that runs often with the same text. Each connection parses it once and, unless
 * PostgreSQL finds a better plan for some parameters, plans it once. Not for statements whose text depends on a request
 * (segments): after 200 named statements, others run unprepared.
 */
export function preparedRows<Row>(
  executor: Executor,
  statement: Sql | string,
  parameters: readonly unknown[] = [],
): Promise<Row[]> {
  const { text, values } = statement instanceof Sql ? statement.toQuery() : { text: statement, values: parameters };
  const name = nameOf(text);
  if (name === undefined) return rows<Row>(executor, text, values);
  // TypeORM passes the statement to `pg` unchanged. `pg` takes a named statement in this form.
  return rows<Row>(executor, { name, text } as unknown as string, values);
}

/**
 * Like `preparedRows`, for a statement over all days of the ledger that runs seldom. The first run on a connection
 * makes a plan for any parameters. PostgreSQL would otherwise plan the first five runs, which takes many times as long
 * as running them. Only for statements whose plan is the same for all parameters.
 */
export function rowsPlannedOnce<Row>(database: Database, statement: Sql): Promise<Row[]> {
  return rowsWith(database, PLAN_ONCE, statement);
}

/** Like `rowsPlannedOnce`, in a transaction: all statements that follow in it are planned for any parameters, too. */
export async function rowsPlannedOnceIn<Row>(executor: Executor, statement: Sql): Promise<Row[]> {
  await rows(executor, PLAN_ONCE);
  return preparedRows<Row>(executor, statement);
}

/**
 * Like `rowsPlannedOnce`, for a statement that finds few of very many rows: the plan looks them up by their keys, also in
 * partitions that have no rows when it is made.
 */
export function rowsPlannedOnceByKeys<Row>(database: Database, statement: Sql): Promise<Row[]> {
  return rowsWith(database, PLAN_ONCE_BY_KEYS, statement);
}

/**
 * PostgreSQL takes a plan without sequential scans for a very expensive one, and with JIT it compiles the statement anew at each run:
 * seconds for one that runs for milliseconds. A connection of ours has it off (`server-pool.ts`), one through a pooler may not.
 */
const PLANNED_ONCE = sql`set_config('jit', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true)`;

const PLAN_ONCE = sql`SELECT ${PLANNED_ONCE}`;

/** Makes PostgreSQL plan what follows in the transaction as `rowsPlannedOnceByKeys` does, if it is prepared. */
export const PLAN_ONCE_BY_KEYS = sql`
  SELECT ${PLANNED_ONCE}, set_config('enable_seqscan', 'off', true),
    set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`;

/**
 * PostgreSQL takes a partition that it has not counted yet for a small one and reads all of it. A recurring statement
 * kept that plan while the day's pages came, a hundred thousand in the first minute.
 */
const PLAN_ONCE_BY_INDEX = sql`SELECT ${PLANNED_ONCE}, set_config('enable_seqscan', 'off', true)`;

/** Like `recurringRows`, for a statement that waits for no other. */
export function rowsPlannedOnceByIndex<Row>(database: Database, statement: Sql): Promise<Row[]> {
  return rowsWith(database, PLAN_ONCE_BY_INDEX, statement);
}

async function rowsWith<Row>(database: Database, settings: Sql, statement: Sql): Promise<Row[]> {
  const [, found] = await batchRows(database, [settings, statement]);
  return (found ?? []) as Row[];
}

/** Like `preparedRows`, for a statement that names a day of the ledger: it runs often for some days, and then never again. */
export function preparedRowsOfDay<Row>(executor: Executor, statement: Sql): Promise<Row[]> {
  const { text, values } = statement.toQuery();
  return rows<Row>(executor, { name: preparedName(text), text } as unknown as string, values);
}

/** The last recurring statement on each pool. */
const lastRecurring = new WeakMap<Database, Promise<unknown>>();

/**
 * Like `rowsPlannedOnce`, for statements over all days of the ledger that a process runs about every second. They run
 * one after the other. Such a statement takes milliseconds to plan, and nearly no time to run, and each connection
 * plans it for itself. Several at the same moment would use different connections each time. One after the other they
 * reuse the connection of the one before. Each table has an index for its recurring statements, and they use it.
 */
export function recurringRows<Row>(database: Database, statement: Sql): Promise<Row[]> {
  const turn = (lastRecurring.get(database) ?? Promise.resolve()).then(() =>
    rowsWith<Row>(database, PLAN_ONCE_BY_INDEX, statement),
  );
  lastRecurring.set(
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
