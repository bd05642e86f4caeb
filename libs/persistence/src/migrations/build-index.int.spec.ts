import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import type { QueryRunner } from 'typeorm';
import { rows } from '../database/executor';
import { sqlState } from '../database/sql-state';
import { buildIndex } from './build-index';

const LOCK_NOT_AVAILABLE = '55P03';
const INDEX = { name: 'messages_by_kind', table: 'messages', definition: '(app_id, kind)' };

describe('an index of a table that is divided into days', () => {
  let database: ThrowAwayDatabase;
  let migration: QueryRunner;
  let other: QueryRunner;

  beforeAll(async () => {
    database = await createThrowAwayDatabase();
    migration = database.dataSource.createQueryRunner();
    other = database.dataSource.createQueryRunner();
    await migration.query(`SET lock_timeout = '100ms'`);
  });
  afterAll(async () => {
    await migration.release();
    await other.release();
    await database.drop();
  });
  beforeEach(() => rows(database.dataSource, `DROP INDEX IF EXISTS messages_by_kind`));

  /** The code of the error with which the build gives up while the other transaction is open. */
  async function givesUpWhile(statement: string): Promise<string | undefined> {
    await other.startTransaction();
    try {
      await other.query(statement);
      return await buildIndex(migration, INDEX).then(() => 'built', sqlState);
    } finally {
      await other.commitTransaction();
    }
  }

  it('is not waited for by writers behind a long transaction', async () => {
    expect(await givesUpWhile(`UPDATE messages SET revision = 0`)).toBe(LOCK_NOT_AVAILABLE);
    await buildIndex(migration, INDEX);
  });

  it('is not waited for by anybody behind a long read of a day whose part is built already', async () => {
    const [day] = await rows<{ name: string }>(
      database.dataSource,
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'messages'::regclass ORDER BY 1 LIMIT 1`,
    );
    await rows(database.dataSource, `CREATE INDEX ${day?.name}_messages_by_kind ON ${day?.name} (app_id, kind)`);
    expect(await givesUpWhile(`SELECT count(*) FROM ${day?.name}`)).toBe(LOCK_NOT_AVAILABLE);
    await buildIndex(migration, INDEX);
    expect(
      await rows(
        database.dataSource,
        `SELECT indisvalid FROM pg_index WHERE indexrelid = 'messages_by_kind'::regclass`,
      ),
    ).toEqual([{ indisvalid: true }]);
  });
});
