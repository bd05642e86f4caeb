import type { DeviceId } from '@postrider/domain';
import { addDevice, createShop, createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { inTransaction, rows } from '../database/executor';
import { ConnectionSessionsRepository } from './connection-sessions.repository';
import { enterStatements } from './enter-presence.statement';
import { PresenceRepository } from './presence.repository';

const DEVICES = 40;

/** A parameter as PostgreSQL reads it. */
function asText(value: unknown): string {
  if (Array.isArray(value)) return `{${value.join(',')}}`;
  return value instanceof Date ? value.toISOString() : String(value);
}

describe('devices that connect at the same moment', () => {
  let throwAway: ThrowAwayDatabase;

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
    await createShop(throwAway.dataSource, 0);
  });
  afterAll(() => throwAway.drop());

  it('are not compared with each other, however many they are', async () => {
    const database = throwAway.dataSource;
    for (let n = 0; n < DEVICES; n++) await addDevice(database, { appId: 'shop', userId: `user-${n}` });
    await rows(database, `ANALYZE installations`);
    const arrivals = await rows<{ appId: string; deviceId: DeviceId; userId: string }>(
      database,
      `SELECT app_id AS "appId", id::text AS "deviceId", user_id AS "userId" FROM installations WHERE app_id = 'shop'`,
    );
    const { text, values } = enterStatements('edge', arrivals, new Date()).enter.toQuery();
    const plan = await rows<Record<'QUERY PLAN', string>>(database, `EXPLAIN (ANALYZE) ${text}`, values);
    expect(plan.filter((line) => line['QUERY PLAN'].includes('Rows Removed by Join Filter'))).toEqual([]);
    const present = await rows<{ epochs: number }>(
      database,
      `SELECT count(DISTINCT epoch)::int AS epochs FROM presence WHERE app_id = 'shop' AND edge_id = 'edge'`,
    );
    expect(present).toEqual([{ epochs: DEVICES }]);
  });
});

describe('devices of an application that PostgreSQL has not looked at yet', () => {
  let throwAway: ThrowAwayDatabase;

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
    await createShop(throwAway.dataSource, 5_000);
  });
  afterAll(() => throwAway.drop());

  it('are found by their keys when they connect', async () => {
    const database = throwAway.dataSource;
    const arrivals = await rows<{ appId: string; deviceId: DeviceId; userId: string }>(
      database,
      `SELECT app_id AS "appId", id::text AS "deviceId", user_id AS "userId" FROM installations
       WHERE app_id = 'shop' ORDER BY id LIMIT 5`,
    );
    const { lock, enter } = enterStatements('edge', arrivals, new Date());
    await inTransaction(database, async (executor) => {
      // The plan that a connection keeps for its prepared statement.
      await executor.query('SET LOCAL plan_cache_mode = force_generic_plan');
      for (const [name, statement] of Object.entries({ lock, enter })) {
        const { text, values } = statement.toQuery();
        await executor.query(`PREPARE ${name} AS ${text}`);
        const given = values.map((value) => `'${asText(value)}'`).join(', ');
        const plan = await executor.query<Record<'QUERY PLAN', string>[]>(
          `EXPLAIN (ANALYZE) EXECUTE ${name} (${given})`,
        );
        await executor.query(`DEALLOCATE ${name}`);
        expect(plan.filter((line) => line['QUERY PLAN'].includes('Rows Removed'))).toEqual([]);
      }
    });
  });
});

describe('devices that connect after PostgreSQL has counted an empty table of presence', () => {
  let throwAway: ThrowAwayDatabase;

  beforeAll(async () => {
    // One connection, which keeps the plans.
    throwAway = await createThrowAwayDatabase(1);
    await createShop(throwAway.dataSource, 20);
    await rows(throwAway.dataSource, 'ANALYZE installations, presence, connection_sessions');
  });
  afterAll(() => throwAway.drop());

  it('are found there by their keys, with the plans of the first of them', async () => {
    const database = throwAway.dataSource;
    const arrivals = await rows<{ appId: string; deviceId: DeviceId; userId: string; installationId: string }>(
      database,
      `SELECT app_id AS "appId", id::text AS "deviceId", user_id AS "userId", installation_id AS "installationId"
       FROM installations WHERE app_id = 'shop'`,
    );
    const [presence, sessions] = [new PresenceRepository(database), new ConnectionSessionsRepository(database)];
    for (const arrival of arrivals) {
      await sessions.findConnecting([arrival], new Date());
      await presence.enter('edge', [arrival], new Date());
    }
    const prepared = await rows<{ name: string; types: string[] }>(
      database,
      `SELECT name, parameter_types::text[] AS types FROM pg_prepared_statements WHERE statement LIKE '%JOIN presence p%'`,
    );
    expect(prepared).toHaveLength(2);
    await rows(database, `SELECT set_config('plan_cache_mode', 'force_generic_plan', false)`);
    for (const { name, types } of prepared) {
      const plan = await rows<Record<'QUERY PLAN', string>>(
        database,
        `EXPLAIN EXECUTE "${name}" (${types.map((type) => `NULL::${type}`).join(', ')})`,
      );
      const lines = plan.map((line) => line['QUERY PLAN']);
      expect(lines.filter((line) => line.includes('Seq Scan'))).toEqual([]);
      expect(lines.filter((line) => line.includes('using presence_pkey'))).toHaveLength(1);
    }
  });
});
