import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { ApnsTokens1795824010000 } from './20261129-d-apns-tokens';

const migration = new ApnsTokens1795824010000();

describe('the migration that makes a token of APNs one device, in capitals or not', () => {
  let throwAway: ThrowAwayDatabase;

  beforeAll(async () => (throwAway = await createThrowAwayDatabase()));
  afterAll(() => throwAway.drop());

  it('leaves each token to one installation as it gave it, skips what waits for the others, and can run again', async () => {
    const { dataSource } = throwAway;
    await run('down');
    await dataSource.query(`INSERT INTO applications (app_id, name, identity_key_sealed)
      VALUES ('shop', 'Shop', ''), ('other', 'Other', '')`);
    await dataSource.query(
      `INSERT INTO installations (app_id, installation_id, user_id, push_type, token, token_registered_at, imported_at)
       SELECT app, gen_random_uuid(), name, type, token, registered::timestamptz, imported::timestamptz FROM (VALUES
         ('shop', 'alone', 'apns', 'AA01', '2026-01-02', NULL),
         ('shop', 'of the file', 'apns', 'cc01', '2026-01-05', '2026-01-05'),
         ('shop', 'of the app', 'apns', 'CC01', '2026-01-02', NULL),
         ('shop', 'former', 'apns', 'dd01', '2026-01-02', NULL),
         ('shop', 'newer', 'apns', 'DD01', '2026-01-03', NULL),
         ('shop', 'mixed and oldest', 'apns', 'dD01', '2026-01-01', NULL),
         ('shop', 'without time', 'apns', 'EE01', NULL, NULL),
         ('shop', 'with time', 'apns', 'ee01', '2026-01-01', NULL),
         ('shop', 'android', 'fcm', 'AA01', '2026-01-02', NULL),
         ('shop', 'another android', 'fcm', 'aa01', '2026-01-02', NULL),
         ('other', 'elsewhere', 'apns', 'dd01', '2026-01-01', NULL)
       ) AS v (app, name, type, token, registered, imported)`,
    );
    await dataSource.query(`INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor)
      SELECT app_id, uuidv7(), id, 'pending', 0, 'connection' FROM installations WHERE user_id IN ('former', 'newer')`);
    for (let times = 0; times < 2; times++) {
      await run('up');
      const found = await dataSource.query<{ user_id: string; token: string }[]>(
        `SELECT user_id, token FROM installations`,
      );
      expect(Object.fromEntries(found.map(({ user_id, token }) => [user_id, token]))).toEqual({
        alone: 'AA01',
        'of the app': 'CC01',
        newer: 'DD01',
        'with time': 'ee01',
        android: 'AA01',
        'another android': 'aa01',
        elsewhere: 'dd01',
      });
    }
    expect(
      await dataSource.query(`SELECT d.state, d.error_code AS code, i.user_id AS user FROM deliveries d
        LEFT JOIN installations i ON i.id = d.device_id ORDER BY 1`),
    ).toEqual([
      { state: 'pending', code: null, user: 'newer' },
      { state: 'skipped', code: 'installation_removed', user: null },
    ]);
    const again = dataSource.query(
      `INSERT INTO installations (app_id, installation_id, user_id, push_type, token)
       VALUES ('shop', gen_random_uuid(), 'eve', 'apns', 'aA01')`,
    );
    await expect(again).rejects.toThrow('installations_apns_token');
  });

  async function run(direction: 'up' | 'down'): Promise<void> {
    const runner = throwAway.dataSource.createQueryRunner();
    await migration[direction](runner).finally(() => runner.release());
  }
});
