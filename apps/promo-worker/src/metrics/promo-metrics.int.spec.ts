import { PromoSetsRepository } from '@postrider/persistence';
import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { Registry } from 'prom-client';
import { PromoMetrics } from './promo-metrics';

describe('the metrics of promo sets', () => {
  let throwAway: ThrowAwayDatabase;
  const registry = new Registry();

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
    new PromoMetrics(registry, new PromoSetsRepository(throwAway.dataSource));
    await throwAway.dataSource.query(
      `INSERT INTO applications (app_id, name, identity_key_sealed) VALUES ('shop', 'Shop', '')`,
    );
    await throwAway.dataSource.query(
      `INSERT INTO promo_sets (app_id, set_id, track_id, state, total, remaining, low_stock_at, low_since, created_at)
       VALUES ('shop', gen_random_uuid(), 'spring', 'in_force', 10, 4, 5, now(), now())`,
    );
  });
  afterAll(() => throwAway.drop());

  it('show the stock in the scrape that reads it, and no failures as 0', async () => {
    const text = await registry.metrics();
    expect(text).toContain('postrider_promo_imports_total{outcome="failed"} 0');
    expect(text).toContain('postrider_promo_lowest_remaining{app_id="shop"} 4');
    expect(text).toContain('postrider_promo_low_sets{app_id="shop"} 1');
  });

  it('have a hundred applications, those first that run out, and count the others together', async () => {
    await throwAway.dataSource.query(
      `INSERT INTO applications (app_id, name, identity_key_sealed)
       SELECT 'many-' || n, 'x', '' FROM generate_series(1, 102) n`,
    );
    // With "shop" there are 102 that are low, and one that has enough.
    await throwAway.dataSource.query(
      `INSERT INTO promo_sets (app_id, set_id, track_id, state, total, remaining, low_stock_at, low_since, created_at)
       SELECT 'many-' || n, gen_random_uuid(), '', 'in_force', 1000, CASE WHEN n <= 101 THEN n + 4 ELSE 900 END, 500,
         CASE WHEN n <= 101 THEN now() END, now()
       FROM generate_series(1, 102) n`,
    );
    const lines = (await registry.metrics()).split('\n').filter((line) => /^postrider_promo_low/.test(line));
    expect(lines).toHaveLength(202);
    expect(lines).toEqual(
      expect.arrayContaining([
        'postrider_promo_low_sets{app_id="shop"} 1',
        'postrider_promo_lowest_remaining{app_id="many-99"} 103',
        'postrider_promo_low_sets{app_id="other"} 2',
        'postrider_promo_lowest_remaining{app_id="other"} 104',
      ]),
    );
  });
});
