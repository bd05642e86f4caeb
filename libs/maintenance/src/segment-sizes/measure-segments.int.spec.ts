import { randomUUID } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '@postrider/domain';
import { AdvisoryLocks, type Database, rows, type SegmentSize, SegmentsRepository } from '@postrider/persistence';
import { type Config, createLogger } from '@postrider/platform';
import { clockShowing, createShop, createThrowAwayDatabase, type RenewableDatabase } from '@postrider/testing';
import { MeasureSegmentService, MeasureSegments } from './measure-segments.task';

const APPLE = { all: [{ name: 'userId', operator: 'equal_to', value: 'user-3' }] };
const EVERYBODY = { none: [{ name: 'userId', operator: 'equal_to', value: 'nobody' }] };

describe('the sizes of saved segments', () => {
  const logger = createLogger('test', { logLevel: 'silent', logFormat: 'json' });
  let throwAway: RenewableDatabase;
  let database: Database;
  let now: Date;
  let segments: SegmentsRepository;
  let measuring: MeasureSegmentService;

  const save = async (segment: object): Promise<string> => {
    const segmentId = randomUUID();
    const rules = { target: null, segment: segment as never };
    await segments.insert('shop', { segmentId, name: segmentId, createdAt: now, ...rules }, 1_000);
    return segmentId;
  };
  const sizesOf = (id: string): Promise<SegmentSize[]> => segments.listSizes('shop', id, { since: null, until: null });
  const pass = (ms: number): void => void (now = new Date(now.getTime() + ms));

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
  });
  afterAll(() => throwAway.drop());

  beforeEach(async () => {
    database = throwAway.dataSource;
    segments = new SegmentsRepository(database);
    await createShop(database, 30);
    now = new Date('2026-03-01T10:20:00Z');
    const config = { segmentSizesSeconds: 3_600 } as Config;
    measuring = new MeasureSegmentService(
      database,
      clockShowing(() => now),
      config,
      logger,
      segments,
    );
  });
  afterEach(() => throwAway.renew());

  it('measures a new segment at once, and again after an hour', async () => {
    await database.query(`UPDATE installations SET token_status = 'DENIED' WHERE user_id = 'user-1'`);
    const id = await save(EVERYBODY);
    expect(await measuring.measureOne()).not.toBeNull();
    expect(await measuring.measureOne()).toBeNull();
    const first = { measuredAt: now, devices: 30, reachable: 29, users: 30 };
    expect(await sizesOf(id)).toEqual([first]);

    await database.query(`DELETE FROM installations WHERE user_id IN ('user-1', 'user-2')`);
    pass(HOUR_MS - 1);
    expect(await measuring.measureOne()).toBeNull();
    pass(1);
    await measuring.measureOne();
    expect(await sizesOf(id)).toEqual([first, { measuredAt: now, devices: 28, reachable: 28, users: 28 }]);
  });

  it('measures a changed segment at once, and throws away what was counted while it changed', async () => {
    const id = await save(EVERYBODY);
    const [leasedUntil, nextAt] = [new Date(now.getTime() + 45_000), new Date(now.getTime() + HOUR_MS)];
    const claimed = (await segments.claimDue(now, leasedUntil))!;
    const rules = { target: null, segment: APPLE };
    await segments.update('shop', { segmentId: id, name: 'Apple', updatedAt: now, ...rules });
    const counted = { measuredAt: now, devices: 30, reachable: 30, users: 30 };
    expect(await segments.recordSize(claimed, counted, nextAt)).toBe(false);
    await segments.postpone(claimed, nextAt);
    await measuring.measureOne();
    expect(await sizesOf(id)).toEqual([{ measuredAt: now, devices: 1, reachable: 1, users: 1 }]);
  });

  it('keeps the last of an hour for two weeks, the last of a day for a year, and goes with the segment', async () => {
    const id = await save(EVERYBODY);
    const other = await save(APPLE);
    await rows(
      database,
      `INSERT INTO segment_sizes (app_id, segment_id, measured_at, devices, reachable)
       SELECT 'shop', s.segment_id, $1::timestamptz - n * interval '1 hour', n, n
       FROM segments s CROSS JOIN generate_series(0, 24 * 400) n WHERE s.segment_id = $2`,
      [new Date(now.getTime() - 5 * 60_000), id],
    );
    await measuring.measureOne();
    await measuring.measureOne();
    const sizes = await sizesOf(id);
    const hourly = sizes.filter(({ measuredAt }) => measuredAt.getTime() >= now.getTime() - 14 * DAY_MS);
    const daily = sizes.filter(({ measuredAt }) => measuredAt.getTime() < now.getTime() - 14 * DAY_MS);
    expect(hourly).toHaveLength(14 * 24);
    expect(hourly.at(-1)).toMatchObject({ measuredAt: now, devices: 30 });
    expect(hourly.some(({ devices }) => devices === 0)).toBe(false);
    expect(daily.length).toBeGreaterThanOrEqual(351);
    expect(daily.length).toBeLessThanOrEqual(353);
    expect(new Set(daily.map(({ measuredAt }) => measuredAt.toISOString().slice(0, 10))).size).toBe(daily.length);
    expect(daily.slice(0, -1).every(({ measuredAt }) => measuredAt.getUTCHours() === 23)).toBe(true);
    expect(await sizesOf(other)).toHaveLength(1);

    await database.query(`DELETE FROM segments WHERE segment_id = $1`, [id]);
    expect(await sizesOf(id)).toEqual([]);
    await database.query(`DELETE FROM applications`);
    expect(await database.query('SELECT 1 FROM segment_sizes')).toEqual([]);
  });

  it('goes on with the others when one cannot be read, and takes the one first that has waited longest', async () => {
    const bad = await save({ all: [{ name: 'osVersion', operator: 'no such', value: 1 }] });
    pass(1);
    const good = await save(APPLE);
    await measuring.measureOne();
    expect(await sizesOf(good)).toEqual([]);
    await measuring.measureOne();
    expect(await sizesOf(good)).toHaveLength(1);
    expect(await sizesOf(bad)).toEqual([]);
    expect(await measuring.measureOne()).toBeNull();
  });

  it('is measured by one worker at a time, and again when that one was killed in the middle', async () => {
    const id = await save(EVERYBODY);
    const killed = jest.spyOn(database, 'transaction').mockRejectedValueOnce(new Error('the worker is gone'));
    await expect(measuring.measureOne()).rejects.toThrow('gone');
    killed.mockRestore();
    expect(await measuring.measureOne()).toBeNull();
    pass(60_000);
    const task = new MeasureSegments(measuring);
    const workers = [1, 2].map(() => new AdvisoryLocks(database));
    const { signal } = new AbortController();
    const runs = await Promise.all(workers.map((locks) => locks.tryWith(task.lock, () => task.run(signal))));
    await Promise.all(workers.map((locks) => locks.close()));
    expect(runs.filter(Boolean)).toHaveLength(1);
    expect(await sizesOf(id)).toHaveLength(1);
  });
});
