import { Sql } from '../sql';
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
  statement: Sql | string,
  parameters: readonly unknown[] = [],
): Promise<Row[]> {
  const { text, values } = statement instanceof Sql ? statement.toQuery() : { text: statement, values: parameters };
  const name = nameOf(text);
  if (name === undefined) return rows<Row>(executor, text, values);
  // TypeORM hands the statement to `pg` as it comes, which takes a named one in this form.
  return rows<Row>(executor, { name, text } as unknown as string, values);
}

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MAX_NAMES) return known;
  const name = `postrider_${names.size + 1}`;
  names.set(text, name);
  return name;
}
