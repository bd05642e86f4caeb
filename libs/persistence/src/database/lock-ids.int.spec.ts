import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { sql } from '../sql';
import { rows } from './executor';
import { deviceLock, heavyReadLock, idempotencyLock, LOCK_IDS, promoSetsLock, workerLock } from './lock-ids';

describe('advisory locks by hash', () => {
  let throwAway: ThrowAwayDatabase;
  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
  });
  afterAll(() => throwAway.drop());

  it('differ from each other, from those of another application, and from the numbers', async () => {
    const kinds = ['shop', 'bank'].flatMap((app) => [
      deviceLock({ app, name: 'name' }),
      idempotencyLock({ app, key: 'name' }),
      promoSetsLock({ app }),
      heavyReadLock({ app, place: 1 }),
      heavyReadLock({ app, place: 2 }),
    ]);
    kinds.push(workerLock({ workerId: 'shop' }));
    const hashes: string[] = [];
    for (const kind of kinds) {
      const [row] = await rows<{ key: string }>(throwAway.dataSource, sql`SELECT ${kind}::text AS key`);
      hashes.push(row!.key);
    }
    expect(new Set([...hashes, ...Object.values(LOCK_IDS).map(String)]).size).toBe(
      hashes.length + Object.keys(LOCK_IDS).length,
    );
  });
});
