import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { rows } from '../database/executor';
import { NOTHING_SAID } from '../devices/testing/nothing-said';
import { type DeviceToImport, holdersOfTokensStatement, importDevicesStatement } from './imported-devices.statement';

const DEVICES = 500;
const TIME = new Date('2026-05-01T09:00:00Z');

describe('importing devices that get another owner', () => {
  let throwAway: ThrowAwayDatabase;

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase(2);
  });
  afterAll(() => throwAway.drop());

  it('finds each device by its key, also where PostgreSQL has no statistics of the tables', async () => {
    const database = throwAway.dataSource;
    await rows(database, `ALTER TABLE users SET (autovacuum_enabled = off)`);
    await rows(database, `ALTER TABLE installations SET (autovacuum_enabled = off)`);
    await rows(database, `INSERT INTO applications (app_id, name, identity_key_sealed) VALUES ('shop', 'shop', '')`);
    await rows(
      database,
      `INSERT INTO users (app_id, user_id) SELECT 'shop', 'user-' || n FROM generate_series(1, $1) n`,
      [2 * DEVICES],
    );
    await rows(
      database,
      `INSERT INTO installations (app_id, installation_id, user_id, push_type, token, token_registered_at, imported_at)
       SELECT 'shop', gen_random_uuid(), 'user-' || n, 'fcm', 'token-' || n, $2, $2 FROM generate_series(1, $1) n`,
      [DEVICES, TIME],
    );
    const devices = Array.from({ length: DEVICES }, (_, at) => deviceOf(`token-${at + 1}`, `user-${at + 2}`));
    const { text, values } = importDevicesStatement({ appId: 'shop', devices, now: TIME, file: null }).toQuery();
    const plan = await rows<Record<'QUERY PLAN', string>>(database, `EXPLAIN (ANALYZE) ${text}`, values);
    const lines = plan.map((line) => line['QUERY PLAN']);
    expect(lines.filter((line) => line.includes('Rows Removed by Join Filter'))).toEqual([]);
    const [owned] = await rows<{ count: number }>(
      database,
      `SELECT count(*)::int AS count FROM installations WHERE substr(user_id, 6)::int = substr(token, 7)::int + 1`,
    );
    expect(owned).toEqual({ count: DEVICES });
  });
});

describe('looking up the vendor tokens of a file', () => {
  let throwAway: ThrowAwayDatabase;

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase(2);
  });
  afterAll(() => throwAway.drop());

  const addDevices = async (appId: string, count: number): Promise<void> => {
    const { dataSource } = throwAway;
    await rows(dataSource, `INSERT INTO applications (app_id, name, identity_key_sealed) VALUES ($1, 'x', '')`, [
      appId,
    ]);
    await rows(dataSource, `INSERT INTO users (app_id, user_id) VALUES ($1, 'ada')`, [appId]);
    await rows(
      dataSource,
      `INSERT INTO installations (app_id, installation_id, user_id, push_type, token)
       SELECT $1, gen_random_uuid(), 'ada', 'fcm', 'token-' || n FROM generate_series(1, $2) n`,
      [appId, count],
    );
  };

  it('finds each by its key in an application that is newer than the statistics of the table', async () => {
    await rows(throwAway.dataSource, `ALTER TABLE installations SET (autovacuum_enabled = off)`);
    await addDevices('shop', 20 * DEVICES);
    await rows(throwAway.dataSource, `ANALYZE installations`);
    await addDevices('kiosk', DEVICES);
    const tokens = Array.from({ length: DEVICES }, (_, at) => ({ pushType: 'fcm' as const, token: `token-${at + 1}` }));
    const { text, values } = holdersOfTokensStatement({ appId: 'kiosk', tokens, file: null }).toQuery();
    const plan = await rows<Record<'QUERY PLAN', string>>(throwAway.dataSource, `EXPLAIN (ANALYZE) ${text}`, values);
    const lines = plan.map((line) => line['QUERY PLAN']);
    expect(lines.filter((line) => line.includes('Rows Removed by Filter'))).toEqual([]);
    expect(lines[0]).toMatch(new RegExp(`actual .* rows=${DEVICES}`));
  });
});

function deviceOf(token: string, userId: string): DeviceToImport {
  const installationId = crypto.randomUUID();
  return {
    ...NOTHING_SAID,
    line: 1,
    installationId,
    userId,
    isGuest: false,
    pushType: 'fcm',
    token,
    registration: {},
    at: TIME,
  };
}
