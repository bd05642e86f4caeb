import { newId } from '@postrider/platform';
import { createShop, createThrowAwayDatabase, type ThrowAwayDatabase, whileHolding } from '@postrider/testing';
import { rows } from '../database/executor';
import { PacingRepository } from './pacing.repository';

const DAY_MS = 86_400_000;

describe('the pace of a message', () => {
  let throwAway: ThrowAwayDatabase;

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
    await createShop(throwAway.dataSource, 0);
  });
  afterAll(() => throwAway.drop());

  it('is not forgotten when it is old, and in use again at that moment', async () => {
    const database = throwAway.dataSource;
    const [message, now] = [{ appId: 'shop', messageId: newId() }, new Date()];
    const pacing = new PacingRepository(database);
    await pacing.lockPaces(database, message, new Date(now.getTime() - 2 * DAY_MS), false);
    const deleted = await whileHolding(
      database,
      async (held) => {
        await pacing.lockPaces(held, message, now, false);
        const pace = { nextAt: now.getTime(), passedUntil: now.getTime() };
        await pacing.savePaces(held, message, { message: pace, application: null });
      },
      () => pacing.deleteOld(new Date(now.getTime() - DAY_MS), 10),
    );
    expect(deleted).toBe(0);
    expect(await rows(database, `SELECT next_at FROM paces`)).toEqual([{ next_at: now }]);
  });
});
