import { PlannerStatisticsRepository, rows } from '@postrider/persistence';
import { createShop, createThrowAwayDatabase, TestClock, type ThrowAwayDatabase } from '@postrider/testing';
import { pino } from 'pino';
import { RenewStatistics } from './renew-statistics.task';

describe('renewing the statistics of applications', () => {
  let throwAway: ThrowAwayDatabase;

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
  });
  afterAll(() => throwAway.drop());

  it('says for which tables, once, and says nothing while there is no need', async () => {
    const database = throwAway.dataSource;
    const lines: Record<string, unknown>[] = [];
    const logger = pino({ messageKey: 'event' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const clock = new TestClock();
    const task = new RenewStatistics(clock, logger, new PlannerStatisticsRepository(database));
    await createShop(database, 100);
    await rows(database, 'ANALYZE installations');
    clock.advance(3_600_000);
    expect(await task.run()).toBe(false);
    await rows(database, `INSERT INTO applications (app_id, name, identity_key_sealed) VALUES ('kiosk', 'x', '')`);
    await rows(
      database,
      `INSERT INTO installations (app_id, installation_id, user_id)
       SELECT 'kiosk', gen_random_uuid(), 'user-' || n FROM generate_series(1, 1000) n`,
    );
    expect(await task.run()).toBe(false);
    expect(await task.run()).toBe(false);
    expect(lines).toEqual([expect.objectContaining({ event: 'statistics.renewed', tables: ['installations'] })]);
  });
});
