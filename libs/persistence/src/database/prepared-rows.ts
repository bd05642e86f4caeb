import { type Executor, rows } from './executor';

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
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<Row[]> {
  const name = nameOf(sql);
  if (name === undefined) return rows<Row>(executor, sql, parameters);
  // TypeORM hands the statement to `pg` as it comes, which takes a named one in this form.
  return rows<Row>(executor, { name, text: sql } as unknown as string, parameters);
}

function nameOf(sql: string): string | undefined {
  const known = names.get(sql);
  if (known !== undefined || names.size >= MAX_NAMES) return known;
  const name = `postrider_${names.size + 1}`;
  names.set(sql, name);
  return name;
}
