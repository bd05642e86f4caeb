import { createThrowAwayDatabase, type ThrowAwayDatabase, untilTrue } from '@postrider/testing';
import type { EntityManager } from 'typeorm';
import { type Executor, inTransaction, rows } from './executor';
import { isDatabaseUnavailable } from './is-database-unavailable';

describe('a connection that ends between two statements of a transaction', () => {
  let database: ThrowAwayDatabase;
  beforeAll(async () => {
    database = await createThrowAwayDatabase();
  });
  afterAll(() => database.drop());

  async function failureOf(rest: (executor: Executor) => Promise<unknown>): Promise<unknown> {
    const { dataSource } = database;
    const failed = inTransaction(dataSource, async (executor) => {
      const [backend] = await rows<{ pid: number }>(executor, `SELECT pg_backend_pid() AS pid`);
      await rows(dataSource, `SELECT pg_terminate_backend($1)`, [backend?.pid]);
      await untilTrue(() => (executor as EntityManager).queryRunner?.isReleased === true);
      await rest(executor);
    });
    return failed.catch((error: unknown) => error);
  }

  it.each([
    ['that follows', (executor: Executor) => rows(executor, `SELECT 1`)],
    ['COMMIT', () => Promise.resolve()],
  ])('means that PostgreSQL is away, also to the statement %s', async (_, rest) => {
    expect(isDatabaseUnavailable(await failureOf(rest))).toBe(true);
  });
});
