import { createThrowAwayDatabase, type ThrowAwayDatabase, untilTrue } from '@postrider/testing';
import { sql } from '../sql';
import { inTransaction, rows } from './executor';
import { batchRows } from './statement-batch';

describe('batchRows', () => {
  let database: ThrowAwayDatabase;

  beforeEach(async () => {
    database = await createThrowAwayDatabase(2);
    await rows(database.dataSource, 'CREATE TABLE counters (name text PRIMARY KEY, count integer NOT NULL)');
  });

  afterEach(() => database.drop());

  it('gives the rows of each statement, read as `rows` reads them, and prepares each once a connection', async () => {
    const at = new Date(1_700_000_000_000);
    for (let value = 0; value < 5; value++) {
      expect(
        await batchRows(database.dataSource, [
          sql`SELECT ${value}::integer AS value, ${at}::timestamptz AS at`,
          sql`SELECT name FROM unnest(${['a', null, 'c"d']}::text[]) AS name WHERE ${value}::integer >= 0`,
          sql`SELECT 1 WHERE ${value}::integer < 0`,
        ]),
      ).toEqual([[{ value, at }], [{ name: 'a' }, { name: null }, { name: 'c"d' }], []]);
    }
    const prepared = `SELECT count(*)::integer AS count FROM pg_prepared_statements WHERE name LIKE 'postrider%'`;
    expect(await rows(database.dataSource, prepared)).toEqual([{ count: 3 }]);
  });

  it('does all or nothing, and the connection goes on after a statement that failed', async () => {
    const insert = (name: string) => sql`INSERT INTO counters (name, count) VALUES (${name}, 1) RETURNING name`;
    const divide = (by: number) => sql`SELECT 1 / ${by}::integer AS quotient`;
    await expect(
      batchRows(database.dataSource, [insert('undone'), divide(0), insert('not run')]),
    ).rejects.toMatchObject({ driverError: { code: '22012' } });
    await expect(batchRows(database.dataSource, [sql`SELECT * FROM nothing`, divide(1)])).rejects.toMatchObject({
      driverError: { code: '42P01' },
    });
    expect(await batchRows(database.dataSource, [divide(1), insert('done'), divide(1)])).toEqual([
      [{ quotient: 1 }],
      [{ name: 'done' }],
      [{ quotient: 1 }],
    ]);
    expect(await rows(database.dataSource, 'SELECT name FROM counters')).toEqual([{ name: 'done' }]);
  });

  it('has a statement see what was committed while the one before it waited for a lock, and keeps the lock', async () => {
    await rows(database.dataSource, `INSERT INTO counters VALUES ('lock', 0), ('seen', 0)`);
    const waiting = await inTransaction(database.dataSource, async (executor) => {
      await rows(executor, `SELECT 1 FROM counters WHERE name = 'lock' FOR NO KEY UPDATE`);
      const both = batchRows(database.dataSource, [
        sql`SELECT 1 FROM counters WHERE name = ${'lock'} FOR NO KEY UPDATE`,
        sql`UPDATE counters SET count = count + 10 WHERE name = ${'seen'} AND count = 1 RETURNING count`,
      ]);
      await untilTrue(async () => {
        const found = await rows(executor, 'SELECT 1 FROM pg_locks WHERE NOT granted AND pid <> pg_backend_pid()');
        return found.length > 0;
      });
      await rows(executor, `UPDATE counters SET count = 1 WHERE name = 'seen'`);
      return { both };
    });
    expect((await waiting.both)[1]).toEqual([{ count: 11 }]);
  });

  it("prepares nothing on a connection whose names may be others' too", async () => {
    const apart = await createThrowAwayDatabase(1);
    const runner = apart.dataSource.createQueryRunner();
    ((await runner.connect()) as { dropNames(): void }).dropNames();
    await runner.release();
    for (const value of [1, 2]) {
      const statements = [sql`SELECT ${value}::integer AS value`, sql`SELECT ${value}::text AS text`] as const;
      expect(await batchRows(apart.dataSource, [...statements])).toEqual([[{ value }], [{ text: String(value) }]]);
    }
    const prepared = `SELECT name FROM pg_prepared_statements WHERE name LIKE 'postrider%'`;
    expect(await rows(apart.dataSource, prepared)).toEqual([]);
    await apart.drop();
  });

  it('fails as `rows` does when its connection is ended, and nobody else notices', async () => {
    const ended = batchRows(database.dataSource, [
      sql`SELECT pg_terminate_backend(pg_backend_pid()) WHERE ${true}::boolean`,
      sql`SELECT ${1}::integer`,
    ]);
    await expect(ended).rejects.toMatchObject({ name: 'QueryFailedError' });
    expect(await batchRows(database.dataSource, [sql`SELECT ${2}::integer AS two`])).toEqual([[{ two: 2 }]]);
  });
});
