import { inTransaction, rows } from '@postrider/persistence';
import { createThrowAwayDatabase, type ThrowAwayDatabase, untilTrue } from '@postrider/testing';
import { migrateDatabase } from './migrate-database';

/** It changes two tables that delivery workers write, `deliveries` first. */
const OF_TWO_TABLES = 'Languages1795478440000';

const WAITS_FOR_PACKS = `
  SELECT FROM pg_locks l JOIN pg_stat_activity a USING (pid)
  WHERE NOT l.granted AND l.relation = 'delivery_packs'::regclass AND a.application_name = 'migrate'
    AND a.datname = current_database()`;

describe('a migration while messages are sent', () => {
  let database: ThrowAwayDatabase;

  beforeEach(async () => {
    database = await createThrowAwayDatabase();
  });
  afterEach(() => database.drop());

  it('lets a transaction go first that has one of its tables and needs the other, and then runs', async () => {
    await rows(database.dataSource, 'DELETE FROM migrations WHERE name = $1', [OF_TWO_TABLES]);
    const told = jest.spyOn(console, 'error').mockImplementation();
    let ran: Promise<string[]> | undefined;
    await inTransaction(database.dataSource, async (worker) => {
      await rows(worker, 'LOCK TABLE delivery_packs IN ROW EXCLUSIVE MODE');
      ran = migrateDatabase(database.url);
      ran.catch(() => undefined);
      await untilTrue(async () => (await rows(database.dataSource, WAITS_FOR_PACKS)).length > 0);
      await rows(worker, 'LOCK TABLE deliveries IN ROW EXCLUSIVE MODE');
    });
    expect(await ran).toEqual([OF_TWO_TABLES]);
    expect(told.mock.calls).toEqual([['A migration waits for a table that other statements use (try 1 of 201).']]);
    told.mockRestore();
  });
});
