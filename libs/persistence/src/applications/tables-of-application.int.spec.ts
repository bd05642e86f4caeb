import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { rows } from '../database/executor';
import { TABLES_OF_APPLICATION } from './tables-of-application';

/** Tables that hold nothing that belongs to one application. */
const OF_NO_APPLICATION: Record<string, string> = {
  edges: 'processes of the service',
  delivery_workers: 'processes of the service',
  ended_sessions: 'sign-ins to the panel',
  phone_keys: 'keys of the digests of numbers, for all applications',
  sign_in_failures: 'network addresses, for a minute',
  migrations: 'the schema',
};

/** Tables whose rows are deleted with an application, but neither by a foreign key nor in steps. */
const IN_ANOTHER_WAY: Record<string, string> = {
  connection_closures: 'each edge takes its own away within a second',
};

describe('the tables of an application', () => {
  let database: ThrowAwayDatabase;

  beforeAll(async () => {
    database = await createThrowAwayDatabase();
  });
  afterAll(() => database.drop());

  it('are all emptied when it is removed, or there is a reason', async () => {
    const tables = await rows<{ name: string; cascades: boolean; hasApplication: boolean }>(
      database.dataSource,
      `WITH RECURSIVE going AS (
         SELECT 'applications'::regclass::oid AS id
         UNION
         SELECT c.conrelid FROM pg_constraint c JOIN going ON c.confrelid = going.id
         WHERE c.contype = 'f' AND c.confdeltype = 'c'
       )
       SELECT t.relname AS name, t.oid IN (SELECT id FROM going) AS cascades, EXISTS (
         SELECT FROM pg_attribute a WHERE a.attrelid = t.oid AND a.attname = 'app_id' AND NOT a.attisdropped
       ) AS "hasApplication"
       FROM pg_class t
       WHERE t.relnamespace = 'public'::regnamespace AND t.relkind IN ('r', 'p') AND NOT t.relispartition ORDER BY 1`,
      [],
    );
    const inSteps = new Set<string>(TABLES_OF_APPLICATION);
    const forgotten = tables.filter(({ name, cascades, hasApplication }) =>
      hasApplication
        ? !cascades && !inSteps.has(name) && IN_ANOTHER_WAY[name] === undefined
        : OF_NO_APPLICATION[name] === undefined,
    );
    expect(forgotten.map(({ name }) => name)).toEqual([]);
    const known = new Set(tables.map(({ name }) => name));
    const named = [...inSteps, ...Object.keys(OF_NO_APPLICATION), ...Object.keys(IN_ANOTHER_WAY)];
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});
