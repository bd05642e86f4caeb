import { createThrowAwayDatabase, testRedisUrl } from '@postrider/testing';
import { freePort } from '../embedded/free-port';
import { expectReachable } from './expect-reachable';

describe('the databases that a start is given', () => {
  it('are taken when they answer, and refused by the name of their variable when they do not', async () => {
    const database = await createThrowAwayDatabase();
    const closed = await freePort();
    try {
      await expect(expectReachable(database.url, testRedisUrl())).resolves.toBeUndefined();
      await expect(expectReachable(`postgres://u:hush@127.0.0.1:${closed}/x`, testRedisUrl())).rejects.toThrow(
        `DATABASE_URL is "postgres://u:***@127.0.0.1:${closed}/x": expected a PostgreSQL that answers (connect ECONNREFUSED`,
      );
      await expect(expectReachable(database.url, `redis://127.0.0.1:${closed}`)).rejects.toThrow(
        /^REDIS_URL is .*expected a Redis that answers \(connect ECONNREFUSED/,
      );
    } finally {
      await database.drop();
    }
  });
});
