import { DAY_MS } from '@postrider/domain';
import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { rows } from '../database/executor';
import { PlannerStatisticsRepository } from './planner-statistics.repository';

/** A table has so many rows of an application before the planner has to know it. */
const MANY = 1_000;

describe('the statistics of applications', () => {
  let throwAway: ThrowAwayDatabase;
  let statistics: PlannerStatisticsRepository;
  /** After whatever the database has analysed in a test. */
  const later = new Date(Date.now() + DAY_MS);

  const run = <Row>(text: string, values: unknown[] = []): Promise<Row[]> => rows(throwAway.dataSource, text, values);

  const addDevices = async (appId: string, count: number): Promise<void> => {
    await run(`INSERT INTO applications (app_id, name, identity_key_sealed) VALUES ($1, 'x', '')`, [appId]);
    await run(`INSERT INTO users (app_id, user_id) SELECT $1, $1 || n FROM generate_series(1, $2) n`, [appId, count]);
    await run(
      `INSERT INTO installations (app_id, installation_id, user_id, push_type, token)
       SELECT $1, gen_random_uuid(), $1 || n, 'fcm', 'token-' || n FROM generate_series(1, $2) n`,
      [appId, count],
    );
  };

  const analyse = (): Promise<unknown> => run('ANALYZE installations, users');

  /** How many rows of an application are read in vain to find its devices by the user, the installation and the key. */
  const readInVain = async (appId: string): Promise<number> => {
    const [device] = await run<{ id: string; iid: string; uid: string }>(
      `SELECT id, installation_id AS iid, user_id AS uid FROM installations WHERE app_id = (SELECT $1) LIMIT 1`,
      [appId],
    );
    let removed = 0;
    for (const [condition, value] of [
      ['user_id = $2', device?.uid],
      ['user_id = ANY ($2)', [device?.uid]],
      ['installation_id = $2', device?.iid],
      ['id = $2', device?.id],
    ] as const) {
      const plan = await run<Record<'QUERY PLAN', string>>(
        `EXPLAIN (ANALYZE) SELECT token FROM installations WHERE app_id = $1 AND ${condition}`,
        [appId, value],
      );
      for (const line of plan) removed += Number(/Rows Removed by Filter: (\d+)/.exec(line['QUERY PLAN'])?.[1] ?? 0);
    }
    return removed;
  };

  beforeEach(async () => {
    throwAway = await createThrowAwayDatabase(2);
    statistics = new PlannerStatisticsRepository(throwAway.dataSource);
    await addDevices('shop', 3 * MANY);
    await analyse();
  });
  afterEach(() => throwAway.drop());

  it('are renewed for one that has grown since: its devices are found by their keys', async () => {
    await addDevices('kiosk', MANY);
    expect(await readInVain('kiosk')).toBeGreaterThan(MANY - 2);
    expect(await statistics.renew(later)).toEqual(['installations', 'users']);
    expect(await readInVain('kiosk')).toBe(0);
    expect(await statistics.renew(later)).toEqual([]);
  });

  it('are renewed for one in a table that was last analysed when each application had a single device', async () => {
    await run('DELETE FROM installations');
    for (const appId of ['one', 'two', 'three']) await addDevices(appId, 1);
    await analyse();
    await addDevices('kiosk', MANY);
    expect(await statistics.renew(later)).toContain('installations');
    expect(await readInVain('kiosk')).toBe(0);
  });

  it('are left as they are for one that is small, and for one of very many', async () => {
    await addDevices('kiosk', MANY - 1);
    expect(await statistics.renew(later)).toEqual([]);
    await run(
      `INSERT INTO applications (app_id, name, identity_key_sealed) SELECT 'app-' || n, 'x', '' FROM generate_series(1, 300) n`,
    );
    await run(
      `INSERT INTO installations (app_id, installation_id, user_id)
       SELECT 'app-' || a, gen_random_uuid(), 'user-' || n FROM generate_series(1, 300) a, generate_series(1, 50) n`,
    );
    await analyse();
    await addDevices('stall', MANY);
    expect(await readInVain('stall')).toBe(0);
    expect(await statistics.renew(later)).toEqual(['users']);
  });

  it('are not renewed twice within a minute, nor of a table that was never analysed', async () => {
    await addDevices('kiosk', MANY);
    const [last] = await run<{ at: Date }>(`SELECT pg_stat_get_last_analyze_time('installations'::regclass) AS at`);
    expect(await statistics.renew(new Date((last?.at.getTime() ?? 0) + 50_000))).toEqual([]);
    await run(`DELETE FROM pg_statistic WHERE starelid IN ('installations'::regclass, 'users'::regclass)`);
    expect(await statistics.renew(later)).toEqual([]);
  });

  it('do not wait for a table that is vacuumed or gets an index at the moment', async () => {
    await addDevices('kiosk', MANY);
    const session = throwAway.dataSource.createQueryRunner();
    await session.startTransaction();
    try {
      await session.query('LOCK TABLE installations IN SHARE UPDATE EXCLUSIVE MODE');
      expect(await statistics.renew(later)).toEqual(['users']);
      expect(await readInVain('kiosk')).toBeGreaterThan(MANY - 2);
    } finally {
      await session.rollbackTransaction();
      await session.release();
    }
    expect(await statistics.renew(later)).toEqual(['installations']);
    expect(await readInVain('kiosk')).toBe(0);
  });
});
