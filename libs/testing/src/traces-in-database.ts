import { type Database, rows } from '@postrider/persistence';

interface Column {
  table: string;
  column: string;
  type: string;
}

/** The text form in which a column of these types is searched. */
const TEXT_OF: Record<string, (column: string) => string> = {
  bytea: (column) => `encode(${column}, 'escape')`,
};

/**
 * Returns where the database holds one of `texts`: every column of every table that can hold text, as
 * `information_schema` names them.
 * @returns `table.column: text`, in order
 */
export async function tracesIn(database: Database, texts: readonly string[]): Promise<string[]> {
  const columns = await rows<Column>(
    database,
    `SELECT c.table_name AS table, c.column_name AS column, c.data_type AS type
     FROM information_schema.columns c JOIN pg_class t ON t.relname = c.table_name AND t.relnamespace = 'public'::regnamespace
     WHERE c.table_schema = 'public' AND t.relkind IN ('r', 'p') AND NOT t.relispartition
       AND c.data_type IN ('text', 'character varying', 'json', 'jsonb', 'bytea', 'ARRAY', 'uuid')
     ORDER BY 1, 2`,
    [],
  );
  const found = await Promise.all(columns.map(async (column) => tracesInColumn(database, column, texts)));
  return found.flat();
}

async function tracesInColumn(
  database: Database,
  { table, column, type }: Column,
  texts: readonly string[],
): Promise<string[]> {
  const text = TEXT_OF[type]?.(`"${column}"`) ?? `"${column}"::text`;
  const hits = await rows<{ text: string }>(
    database,
    `SELECT sought.text FROM unnest($1::text[]) AS sought (text)
     WHERE EXISTS (SELECT 1 FROM "${table}" WHERE strpos(${text}, sought.text) > 0)`,
    [texts],
  );
  return hits.map((hit) => `${table}.${column}: ${hit.text}`);
}
