import { createThrowAwayDatabase, emptyTables, type ThrowAwayDatabase } from '@postrider/testing';
import { IdempotencyRepository } from './idempotency.repository';

describe('idempotency keys', () => {
  let database: ThrowAwayDatabase;

  beforeAll(async () => {
    database = await createThrowAwayDatabase();
    await database.dataSource.query(
      `INSERT INTO applications (app_id, name, identity_key_sealed) VALUES ('shop', 'Shop', '')`,
    );
  });
  afterAll(() => database.drop());
  beforeEach(() => emptyTables(database.dataSource, 'idempotency_keys'));

  it('are forgotten when they are old, a bounded number at a time', async () => {
    const { dataSource } = database;
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

  it('are known for as long as their answers are kept, and may be used for another request after that', async () => {
    const { dataSource } = database;
    const keys = new IdempotencyRepository(dataSource);
    const [first, second] = [new Date('2026-05-01T12:00:00Z'), new Date('2026-05-02T12:00:00Z')];
    const kept = (text: string) => ({ requestHash: Buffer.from(text), answer: { text } });
    const find = (since: Date): Promise<unknown> => keys.find(dataSource, 'shop', 'order-1', since);
    const justBefore = new Date(first.getTime() - 1);
    await keys.keep(dataSource, 'shop', 'order-1', { ...kept('first'), at: first });
    expect([await find(justBefore), await find(first)]).toEqual([kept('first'), null]);
    await keys.keep(dataSource, 'shop', 'order-1', { ...kept('second'), at: second });
    expect([await find(first), await find(second)]).toEqual([kept('second'), null]);
    expect(await keys.find(dataSource, 'other', 'order-1', justBefore)).toBeNull();
  });
});
