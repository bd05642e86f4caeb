import type { DeviceId } from '@postrider/domain';
import { addDevice, createShop, createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { inTransaction, rows } from '../database/executor';
import { enterStatements } from './enter-presence.statement';

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
