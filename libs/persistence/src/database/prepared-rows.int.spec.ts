import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { inTransaction, rows } from './executor';
import { preparedRows } from './prepared-rows';

describe('preparedRows', () => {
  let database: ThrowAwayDatabase;

  beforeAll(async () => {
    database = await createThrowAwayDatabase(1);
  });

  afterAll(() => database.drop());

  it('gives what rows gives, from a statement that the connection prepares once', async () => {
    const sql = 'SELECT $1::integer + 1 AS next';
    for (let value = 0; value < 10; value++) {
      expect(await preparedRows(database.dataSource, sql, [value])).toEqual([{ next: value + 1 }]);
    }
    const prepared = `SELECT count(*)::integer AS count FROM pg_prepared_statements WHERE statement = $1`;
    expect(await rows(database.dataSource, prepared, [sql])).toEqual([{ count: 1 }]);
  });

  it('runs in the transaction that it is given, also where it returns what it wrote', async () => {
    const insert = `INSERT INTO applications (app_id, name, identity_key_sealed) VALUES ($1, $1, '') RETURNING app_id`;
    const attempt = inTransaction(database.dataSource, async (executor) => {
      expect(await preparedRows(executor, insert, ['shop'])).toEqual([{ app_id: 'shop' }]);
      throw new Error('never mind');
    });
    await expect(attempt).rejects.toThrow('never mind');
    expect(await rows(database.dataSource, 'SELECT app_id FROM applications')).toEqual([]);
  });

  it('fails as rows does', async () => {
    await expect(preparedRows(database.dataSource, 'SELECT 1 / $1::integer', [0])).rejects.toMatchObject({
      driverError: { code: '22012' },
    });
  });
});
