import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import {
  createDataSource,
  MessagesRepository,
  migrate,
  MIGRATIONS,
  PagesRepository,
  rows,
} from '@postrider/persistence';
import { Secret } from '@postrider/platform';
import { createEmptyDatabase, createThrowAwayDatabase, type ThrowAwayDatabase, untilTrue } from '@postrider/testing';
import { Client } from 'pg';
import { migrateDatabase } from '../services/migrate-database';

const VERSIONS = join(__dirname, 'versions');
const versions = readdirSync(VERSIONS).map((file) => file.replace('.sql.gz', ''));

/** Tables, columns, indexes, triggers and constraints, without the days of the ledger. */
const SCHEMA = `
  SELECT format('column %s.%s %s %s %s %s', table_name, column_name, data_type, is_nullable, column_default,
      generation_expression) AS part
    FROM information_schema.columns WHERE table_schema = 'public'
  UNION ALL SELECT 'index ' || regexp_replace(indexdef, '\\s+', ' ', 'g') FROM pg_indexes WHERE schemaname = 'public'
  UNION ALL SELECT format('invalid %s', indexrelid::regclass) FROM pg_index WHERE NOT indisvalid
  UNION ALL SELECT 'trigger ' || pg_get_triggerdef(oid) || tgenabled::text FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL SELECT format('constraint %s %s', conrelid::regclass, pg_get_constraintdef(oid)) FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace
  ORDER BY 1`;
const OF_A_DAY = /_20\d{6}/;

async function schemaOf({ dataSource }: ThrowAwayDatabase): Promise<string[]> {
  const parts = await rows<{ part: string }>(dataSource, SCHEMA);
  return parts.map(({ part }) => part).filter((part) => !OF_A_DAY.test(part));
}

/** Returns how many rows each table of the version has. */
async function countsOf(
  { dataSource }: ThrowAwayDatabase,
  tables?: readonly string[],
): Promise<Record<string, number>> {
  const named =
    tables ??
    (
      await rows<{ name: string }>(
        dataSource,
        `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
         AND NOT relispartition AND relname <> 'migrations'`,
      )
    ).map(({ name }) => name);
  const counts: Record<string, number> = {};
  for (const name of named) {
    const [found] = await rows<{ count: number }>(dataSource, `SELECT count(*)::integer AS count FROM ${name}`);
    counts[name] = found?.count ?? 0;
  }
  return counts;
}

describe.each(versions)('a populated database of version %s', (version) => {
  let database: ThrowAwayDatabase;

  beforeEach(async () => {
    database = await createEmptyDatabase();
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query(gunzipSync(readFileSync(join(VERSIONS, `${version}.sql.gz`))).toString());
    await client.end();
  });
  afterEach(() => database.drop());

  const before = async (): Promise<Record<string, number>> => {
    const counts = await countsOf(database);
    expect(counts).toMatchObject({ users: 300, installations: 600, messages: 4 });
    return counts;
  };

  it('becomes what a new one is, keeps every row, and what was open goes on', async () => {
    const counts = await before();
    const had = await rows<{ name: string }>(database.dataSource, 'SELECT name FROM migrations');
    expect(await migrateDatabase(database.url)).toHaveLength(MIGRATIONS.length - had.length);
    const fresh = await createThrowAwayDatabase();
    expect(await schemaOf(database)).toEqual(await schemaOf(fresh));
    await fresh.drop();
    expect(await countsOf(database, Object.keys(counts))).toEqual(counts);
    const wrongDays = `SELECT FROM installations WHERE launch_day <> (launch_time AT TIME ZONE 'UTC')::date`;
    expect(await rows(database.dataSource, wrongDays)).toEqual([]);
    expect(await migrateDatabase(database.url)).toEqual([]);

    const now = new Date();
    const pages = new PagesRepository(database.dataSource);
    const due = await pages.findDue(now, 100);
    expect(due).toHaveLength(3);
    const claim = { leasedBy: 'new', now, leaseUntil: new Date(now.getTime() + 10_000) };
    const claimed = await pages.claimMany(due, claim);
    expect(claimed.flatMap((page) => page?.devices ?? [])).toHaveLength(150);
    expect(claimed.map((page) => page?.losses).sort()).toEqual([0, 0, 1]);
    const toResolve = await new MessagesRepository(database.dataSource).findDue(now, 100);
    expect(toResolve.filter(({ isResolved }) => !isResolved)).toHaveLength(1);
  });

  it('is brought up to date by a migration that is killed again and again, beside one that reads a table for long', async () => {
    const counts = await before();
    const reader = new Client({ connectionString: database.url });
    await reader.connect();
    await reader.query('BEGIN; LOCK TABLE installations IN ACCESS SHARE MODE');
    const impatient = { applicationName: 'impatient', lockTimeoutMs: 100 };
    const migrating = createDataSource(new Secret(database.url), 2, impatient);
    await migrating.initialize();
    const first = migrate(migrating).then(
      () => 'done',
      () => 'killed',
    );
    // It waits for the reader by giving up and trying again; a writer meanwhile does not wait long.
    await database.dataSource.query(`UPDATE installations SET launch_count = launch_count + 1 WHERE id = 1`);
    for (let kills = 1; kills <= 5; kills++) await kill('impatient');
    await reader.query('COMMIT');
    await reader.end();
    await first;
    await migrating.destroy();
    for (let kills = 1; kills <= 3; kills++) {
      let ended = false;
      const next = migrateDatabase(database.url)
        .catch(() => [])
        .finally(() => (ended = true));
      // A killer must not wait for a process that ended without being killed: it would hit the migration after it.
      await untilTrue(async () => ended || kill('migrate'));
      await next;
    }
    await migrateDatabase(database.url);
    const names = await rows<{ name: string }>(database.dataSource, 'SELECT name FROM migrations');
    expect(names).toHaveLength(MIGRATIONS.length);
    const fresh = await createThrowAwayDatabase();
    expect(await schemaOf(database)).toEqual(await schemaOf(fresh));
    await fresh.drop();
    expect(await countsOf(database, Object.keys(counts))).toEqual(counts);
  });

  /** Ends the statements of the connections with that name. @returns true if there was one */
  async function kill(name: string): Promise<boolean> {
    const killed = await rows(
      database.dataSource,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = '${name}' AND datname = current_database() AND state = 'active'`,
    );
    return killed.length > 0;
  }
});
