import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { rows } from './executor';
import { inRetriedTransaction } from './retried-transaction';

describe('a transaction that collides with others', () => {
  let database: ThrowAwayDatabase;

  beforeAll(async () => {
    database = await createThrowAwayDatabase();
  });

  afterAll(() => database.drop());

  const fail = (state: string): string =>
    `DO $$ BEGIN RAISE EXCEPTION 'as one of several' USING ERRCODE = '${state}'; END $$`;

  it('is done in the end, though it is the one of several that PostgreSQL gives up, again and again', async () => {
    const before: number[] = [];
    const done = inRetriedTransaction(database.dataSource, async (executor, collisions) => {
      before.push(collisions);
      if (collisions < 6) await rows(executor, fail('40P01'));
      return 'done';
    });
    expect(await done).toBe('done');
    expect(before).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it('is given up when it never comes to an end, and at once for any other error', async () => {
    const runs = { deadlock: 0, other: 0 };
    const deadlock = inRetriedTransaction(database.dataSource, (executor) => {
      runs.deadlock += 1;
      return rows(executor, fail('40P01'));
    });
    await expect(deadlock).rejects.toThrow('as one of several');
    const other = inRetriedTransaction(database.dataSource, (executor) => {
      runs.other += 1;
      return rows(executor, fail('22003'));
    });
    await expect(other).rejects.toThrow('as one of several');
    expect(runs).toEqual({ deadlock: 8, other: 1 });
  });
});
