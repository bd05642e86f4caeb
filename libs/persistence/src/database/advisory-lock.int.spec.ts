import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { withAdvisoryLock } from './advisory-lock';

describe('an advisory lock', () => {
  let database: ThrowAwayDatabase;

  beforeAll(async () => (database = await createThrowAwayDatabase()));
  afterAll(() => database.drop());

  it('lets one in at a time, and the next when that one is done or has failed', async () => {
    const { dataSource } = database;
    const order: string[] = [];
    const isMine = await withAdvisoryLock(dataSource, 42, async () => {
      order.push('first');
      expect(await withAdvisoryLock(dataSource, 42, () => Promise.reject(new Error('never')))).toBe(false);
      expect(await withAdvisoryLock(dataSource, 43, () => Promise.resolve())).toBe(true);
    });
    expect(isMine).toBe(true);
    await expect(withAdvisoryLock(dataSource, 42, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await withAdvisoryLock(dataSource, 42, () => Promise.resolve())).toBe(true);
    expect(order).toEqual(['first']);
  });
});
