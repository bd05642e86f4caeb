import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { PromoAssignmentsKey1795824070000 } from './20261129-j-promo-assignments-key';

describe('the key of promo_assignments', () => {
  let throwAway: ThrowAwayDatabase;

  beforeAll(async () => (throwAway = await createThrowAwayDatabase()));
  afterAll(() => throwAway.drop());

  const indexes = async (): Promise<string[]> => {
    const found: { columns: string }[] = await throwAway.dataSource.query(
      `SELECT substring(pg_get_indexdef(indexrelid) from 'USING btree (.*)') AS columns FROM pg_index
       WHERE indrelid = 'promo_assignments'::regclass AND indisvalid ORDER BY 1`,
    );
    return found.flatMap(({ columns }) => columns ?? []);
  };
  const ofSet = '(app_id, set_id, ordinal) WHERE (set_id IS NOT NULL)';

  it('finds the codes of a user too, so that a claimed code has no index entry for that alone', async () => {
    expect(await indexes()).toEqual([ofSet, '(app_id, user_id, message_id)']);
  });

  it('is changed with rows in it, also where a former attempt was ended between its steps', async () => {
    const database = throwAway.dataSource;
    await database.query(
      `INSERT INTO promo_assignments (app_id, message_id, user_id, claimed_at)
       SELECT 'shop', gen_random_uuid(), 'user-' || n, now() FROM generate_series(1, 100) n`,
    );
    const runner = database.createQueryRunner();
    const migration = new PromoAssignmentsKey1795824070000();
    await migration.down(runner);
    expect(await indexes()).toEqual(['(app_id, message_id, user_id)', ofSet, '(app_id, user_id, message_id)']);
    await runner.query(
      `CREATE UNIQUE INDEX promo_assignments_new_pkey ON promo_assignments (app_id, user_id, message_id)`,
    );
    for (let times = 0; times < 2; times++) await migration.up(runner);
    await runner.release();
    expect(await indexes()).toEqual([ofSet, '(app_id, user_id, message_id)']);
    expect(await database.query(`SELECT count(*)::int AS n FROM promo_assignments`)).toEqual([{ n: 100 }]);
  });
});
