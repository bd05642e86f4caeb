import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { ApnsTokens1795824010000 } from './20261129-d-apns-tokens';

describe('the migration that writes tokens of APNs in small letters', () => {
  let throwAway: ThrowAwayDatabase;

  beforeAll(async () => (throwAway = await createThrowAwayDatabase()));
  afterAll(() => throwAway.drop());

  it('leaves each token to one installation, and changes no token of others; nothing when it runs again', async () => {
    const database = throwAway.dataSource;
    await database.query(`INSERT INTO applications (app_id, name, identity_key_sealed)
      VALUES ('shop', 'Shop', ''), ('other', 'Other', '')`);
    await database.query(
      `INSERT INTO installations (app_id, installation_id, user_id, push_type, token, token_registered_at, imported_at)
       SELECT app, gen_random_uuid(), name, type, token, registered::timestamptz, imported::timestamptz FROM (VALUES
         ('shop', 'alone', 'apns', 'AA01', '2026-01-02', NULL),
         ('shop', 'small', 'apns', 'bb01', '2026-01-02', NULL),
         ('shop', 'of the file', 'apns', 'cc01', '2026-01-05', '2026-01-05'),
         ('shop', 'of the app', 'apns', 'CC01', '2026-01-02', NULL),
         ('shop', 'former', 'apns', 'DD01', '2026-01-02', NULL),
         ('shop', 'newer', 'apns', 'dd01', '2026-01-03', NULL),
         ('shop', 'mixed', 'apns', 'eE01', '2026-01-02', NULL),
         ('shop', 'mixed and newer', 'apns', 'Ee01', '2026-01-03', NULL),
         ('shop', 'android', 'fcm', 'AA01', '2026-01-02', NULL),
         ('shop', 'no hexadecimal', 'apns', 'TOKEN-A', '2026-01-02', NULL),
         ('other', 'elsewhere', 'apns', 'BB01', '2026-01-02', NULL)
       ) AS v (app, name, type, token, registered, imported)`,
    );
    for (let times = 0; times < 2; times++) {
      const runner = database.createQueryRunner();
      await new ApnsTokens1795824010000().up(runner);
      await runner.release();
      const found = await database.query<{ user_id: string; token: string | null }[]>(
        `SELECT user_id, token FROM installations`,
      );
      expect(Object.fromEntries(found.map(({ user_id, token }) => [user_id, token]))).toEqual({
        alone: 'aa01',
        small: 'bb01',
        'of the file': null,
        'of the app': 'cc01',
        former: null,
        newer: 'dd01',
        mixed: null,
        'mixed and newer': 'ee01',
        android: 'AA01',
        'no hexadecimal': 'TOKEN-A',
        elsewhere: 'bb01',
      });
    }
  });
});
