import { newId } from '@postrider/platform';
import { createShop, createThrowAwayDatabase, type ThrowAwayDatabase, whileHolding } from '@postrider/testing';
import type { Database } from '../database/executor';
import { PromoUploadsRepository } from './promo-uploads.repository';

describe('uploads of promo codes that begin at the same time', () => {
  let throwAway: ThrowAwayDatabase;

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
    await createShop(throwAway.dataSource, 0);
  });
  afterAll(() => throwAway.drop());

  it('are not more than the application may have', async () => {
    const database = throwAway.dataSource;
    const begin = (on: Database): Promise<boolean> => {
      const createdAt = new Date();
      const upload = { trackId: '', createdAt, giveUpAt: createdAt, most: 1 };
      return new PromoUploadsRepository(on).begin({ appId: 'shop', setId: newId() }, upload);
    };
    const second = whileHolding(
      database,
      async (held) => expect(await begin(held)).toBe(true),
      () => begin(database),
    );
    expect(await second).toBe(false);
  });
});
