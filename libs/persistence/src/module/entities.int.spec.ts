import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { sql } from '../sql';
import { rows } from '../database/executor';

/** A column in PostgreSQL and in its entity. */
interface Described {
  column: string;
  type: string;
  isNullable: boolean;
  isKey: boolean;
}

/** TypeORM's own table: which migrations ran. */
const NOT_OURS = ['migrations'];

describe('the entities', () => {
  let throwAway: ThrowAwayDatabase;
  let tables: Map<string, Described[]>;

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
    tables = await describeTables();
  });
  afterAll(() => throwAway.drop());

  it('are one for each table of the migrated database', () => {
    const named = throwAway.dataSource.entityMetadatas.map(({ tableName }) => tableName);
    expect(named.toSorted()).toEqual([...tables.keys()].toSorted());
  });

  it('have the columns, types, keys and nulls of their tables', () => {
    const said = throwAway.dataSource.entityMetadatas.map(({ tableName, columns }) => ({
      tableName,
      columns: columns
        .map((column): Described => {
          const type = throwAway.dataSource.driver.normalizeType(column);
          return {
            column: column.databaseName,
            type: column.isArray ? `${type}[]` : type,
            isNullable: column.isNullable,
            isKey: column.isPrimary,
          };
        })
        .toSorted(byColumn),
    }));
    for (const { tableName, columns } of said) {
      expect({ tableName, columns }).toEqual({ tableName, columns: tables.get(tableName)?.toSorted(byColumn) });
    }
  });

  async function describeTables(): Promise<Map<string, Described[]>> {
    const found = await rows<Described & { table: string }>(
      throwAway.dataSource,
      sql`SELECT c.relname AS table, a.attname AS column, format_type(a.atttypid, NULL) AS type,
            NOT a.attnotnull AS "isNullable",
            coalesce(a.attnum = ANY ((i.indkey::smallint[])[0 : i.indnkeyatts - 1]), false) AS "isKey"
          FROM pg_class c
          JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
          LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
          WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
            AND c.relname <> ALL (${NOT_OURS})`,
    );
    const described = new Map<string, Described[]>();
    for (const { table, ...column } of found) described.set(table, [...(described.get(table) ?? []), column]);
    return described;
  }
});

function byColumn(a: Described, b: Described): number {
  return a.column.localeCompare(b.column);
}
