import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { IdempotencyRepository } from './idempotency.repository';

describe('idempotency keys', () => {
  let database: ThrowAwayDatabase;

  beforeAll(async () => (database = await createThrowAwayDatabase()));
  afterAll(() => database.drop());

  it('are forgotten when they are old, a bounded number at a time', async () => {
    const { dataSource } = database;
    await dataSource.query(`INSERT INTO applications (app_id, name, identity_key_sealed) VALUES ('shop', 'Shop', '')`);
    await dataSource.query(
      `INSERT INTO idempotency_keys (app_id, key, request_hash, created_at)
       SELECT 'shop', 'key-' || n, '', now() - n * interval '10 hours' FROM generate_series(1, 6) n`,
    );
    const aDayAgo = new Date(Date.now() - 86_400_000);
    expect(await new IdempotencyRepository(dataSource).deleteOld(aDayAgo, 3)).toBe(3);
    expect(await new IdempotencyRepository(dataSource).deleteOld(aDayAgo, 3)).toBe(1);
    expect(await dataSource.query(`SELECT key FROM idempotency_keys ORDER BY 1`)).toEqual([
      { key: 'key-1' },
      { key: 'key-2' },
    ]);
  });
});
