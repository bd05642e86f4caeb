import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { sql } from '../sql';
import { rows } from '../database/executor';

/** `| `table` | what a row is | `key, columns` | storage | lifetime |` */
const LINE = /^\| `(\w+)` +\| (.+?) +\| `([\w, ]+)` +\| (.*?) *\| (.+?) +\|$/gm;

/** What the page says about a table. */
interface Described {
  table: string;
  key: string[];
  storage: string;
}

describe('docs/data-model.md', () => {
  let throwAway: ThrowAwayDatabase;
  const page = readFileSync(join(__dirname, '../../../../docs/data-model.md'), 'utf8');
  const described = [...page.matchAll(LINE)].map(([, table = '', , key = '', storage = '']): Described => ({
    table,
    key: key.split(', ').toSorted(),
    storage,
  }));

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
  });
  afterAll(() => throwAway.drop());

  it('names each table once, and none that does not exist', () => {
    const tables = throwAway.dataSource.entityMetadatas.map(({ tableName }) => tableName);
    expect(described.map(({ table }) => table).toSorted()).toEqual(tables.toSorted());
  });

  it('gives the primary key of each table', () => {
    const keys = throwAway.dataSource.entityMetadatas.map(({ tableName, primaryColumns }) => ({
      table: tableName,
      key: primaryColumns.map(({ databaseName }) => databaseName).toSorted(),
    }));
    expect(described.map(({ table, key }) => ({ table, key })).toSorted(byTable)).toEqual(keys.toSorted(byTable));
  });

  it('says which tables are partitioned and which are unlogged', async () => {
    const stored = await rows<{ table: string; storage: string }>(
      throwAway.dataSource,
      sql`SELECT c.relname AS table, CASE
            WHEN c.relpersistence = 'u' THEN 'unlogged'
            WHEN pg_get_partkeydef(c.oid) = 'RANGE (day)' THEN 'by day'
            WHEN c.relkind = 'p' THEN 'by day of the message'
            ELSE '' END AS storage
          FROM pg_class c
          WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
            AND c.relname <> 'migrations'`,
    );
    const said = described.map(({ table, storage }) => ({ table, storage }));
    expect(said.toSorted(byTable)).toEqual(stored.toSorted(byTable));
  });
});

function byTable(a: { table: string }, b: { table: string }): number {
  return a.table.localeCompare(b.table);
}
