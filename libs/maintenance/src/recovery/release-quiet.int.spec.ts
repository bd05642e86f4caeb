import { DAY_MS, HOUR_MS, MINUTE_MS, type QuietHours } from '@postrider/domain';
import { ApplicationsRepository, type Database, PagesRepository, QuietChangesRepository } from '@postrider/persistence';
import { newId } from '@postrider/platform';
import { createShop, createThrowAwayDatabase, TestClock, type RenewableDatabase } from '@postrider/testing';
import { ROWS_AT_ONCE } from '../registry/maintenance-task';
import { ReleaseQuiet } from './release-quiet.task';

const NIGHT: QuietHours = { start: '22:00', end: '08:00', timeZone: 'device', applies: 'all' };

describe('deliveries that wait for the end of quiet hours', () => {
  let throwAway: RenewableDatabase;
  let database: Database;
  let clock: TestClock;
  let morning: Date;
  let messageId: string;
  const query = <T>(text: string, values: unknown[] = []): Promise<T[]> => database.query(text, values);

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
  });
  afterAll(() => throwAway.drop());

  beforeEach(async () => {
    database = throwAway.dataSource;
    clock = new TestClock();
    morning = new Date(clock.now().getTime() + 8 * HOUR_MS);
    messageId = newId(clock.now());
    await createShop(database, 0);
    await change({ quietHours: NIGHT });
    await query(
      `INSERT INTO messages (app_id, id, kind, is_campaign, lane, audience, channel, content, count, resolve_ceiling, resolved_at,
         accepted_at, expires_at)
       VALUES ('shop', $1, 'query', true, 'campaign', '{}', 'public/default', '{}', 1, 0, $2, $2, $3)`,
      [messageId, clock.now(), new Date(clock.now().getTime() + 2 * DAY_MS)],
    );
  });
  afterEach(() => throwAway.renew());

  async function change(settings: Parameters<ApplicationsRepository['update']>[1]): Promise<void> {
    await new ApplicationsRepository(database).update('shop', settings, clock.now());
    clock.advance(1);
  }

  /** Writes pages of devices whose quiet hours end in the morning, as they were when `changes` are left out. */
  async function addPages(
    count: number,
    changes: { vendor?: string; startsAt?: Date; tried?: Date } = {},
  ): Promise<void> {
    await query(
      `INSERT INTO pages (app_id, message_id, id, vendor, lane, device_ids, is_steered, waits_for, not_before, wake_at, starts_at,
         first_attempt_at, created_at)
       SELECT 'shop', $1, gen_random_uuid(), $2, 'campaign', '{1}', true, 'quiet_hours', $3, $3, $4, $5, $6
       FROM generate_series(1, $7::int)`,
      [
        ...[messageId, changes.vendor ?? 'fcm', morning],
        ...[changes.startsAt ?? null, changes.tried ?? null, clock.now(), count],
      ],
    );
    clock.advance(1);
  }

  /** Runs the task as a worker that has just started. */
  const run = (): Promise<boolean> =>
    new ReleaseQuiet(clock, new QuietChangesRepository(database), { sweepIntervalMs: 1_000 }).run();
  const due = async (): Promise<number> =>
    (await new PagesRepository(database).findDue(clock.now(), 10 * ROWS_AT_ONCE)).length;
  const waiting = (columns: string): Promise<object[]> => query(`SELECT ${columns} FROM pages ORDER BY vendor`);

  it.each<[string, Parameters<ApplicationsRepository['update']>[1]]>([
    ['are removed', { quietHours: null }],
    ['are shortened', { quietHours: { ...NIGHT, end: '06:00' } }],
    ['follow another time zone', { defaultTimeZone: 'Asia/Tehran' }],
  ])('are looked at again when these %s', async (_what, settings) => {
    await addPages(1);
    await addPages(1, { vendor: 'connection' });
    await run();
    const before = [await due(), await waiting('not_before')];
    await change(settings);
    await run();
    expect(before).toEqual([0, [{ not_before: morning }, { not_before: morning }]]);
    expect(await due()).toBe(1);
    const released = { not_before: null, waits_for: null, wake_at: clock.now() };
    expect(await waiting('not_before, waits_for, wake_at')).toEqual([released, released]);
  });

  it('are left alone when other settings change, or the quiet hours are stored again as they are', async () => {
    await addPages(1);
    await change({ name: 'Other', devicesPerSecond: 5, quietHours: { ...NIGHT }, defaultTimeZone: null });
    await run();
    expect(await waiting('not_before, waits_for')).toEqual([{ not_before: morning, waits_for: 'quiet_hours' }]);
  });

  it('wait for the time of day of their message if it has not come where they are', async () => {
    const startsAt = new Date(clock.now().getTime() + HOUR_MS);
    await addPages(1, { startsAt });
    await change({ quietHours: null });
    await run();
    const wakeAt = new Date(startsAt.getTime() - 3_000);
    expect(await waiting('not_before, waits_for, wake_at')).toEqual([
      { not_before: startsAt, waits_for: 'local_time', wake_at: wakeAt },
    ]);
  });

  it('are given up as long after their first attempt as if they had waited for no longer than they did', async () => {
    const triedAt = new Date(clock.now().getTime() - MINUTE_MS);
    // As if it had been made at the same distance from the morning.
    await addPages(1, { tried: new Date(triedAt.getTime() + (morning.getTime() - clock.now().getTime())) });
    const begunAt = clock.now().getTime() - 1;
    clock.advance(HOUR_MS);
    await change({ quietHours: null });
    await run();
    const waitedMs = clock.now().getTime() - begunAt;
    expect(await waiting('first_attempt_at')).toEqual([{ first_attempt_at: new Date(triedAt.getTime() + waitedMs) }]);
  });

  it('are released a thousand pages at a time, also when the worker dies meanwhile', async () => {
    await addPages(ROWS_AT_ONCE + 1);
    await change({ quietHours: null });
    const first = [await run(), await due()];
    const second = [await run(), await due()];
    expect([first, second]).toEqual([
      [true, ROWS_AT_ONCE],
      [false, ROWS_AT_ONCE + 1],
    ]);
  });

  it('are released, too, if a worker put them off by the former quiet hours at that moment', async () => {
    await change({ quietHours: null });
    await addPages(1);
    await run();
    const before = await due();
    clock.advance(MINUTE_MS);
    await run();
    expect([before, await due()]).toEqual([0, 1]);
  });

  it('are released once: the new quiet hours, which put them off again, are not looked at all the time', async () => {
    await change({ quietHours: { ...NIGHT, end: '06:00' } });
    clock.advance(MINUTE_MS);
    await addPages(1);
    await run();
    clock.advance(HOUR_MS);
    await run();
    expect(await due()).toBe(0);
    expect(await query(`SELECT FROM applications WHERE quiet_hours_changed_at IS NOT NULL`)).toEqual([]);
  });

  it('are not forgotten while another transaction holds them', async () => {
    await addPages(1);
    await change({ quietHours: null });
    clock.advance(MINUTE_MS);
    const holder = database.createQueryRunner();
    await holder.startTransaction();
    await holder.query(`SELECT FROM pages FOR UPDATE`);
    await run();
    await holder.commitTransaction();
    await holder.release();
    const before = await due();
    await run();
    expect([before, await due()]).toEqual([0, 1]);
  });

  it('are released with the fallback SMS that were due in the quiet hours', async () => {
    await query(
      `INSERT INTO fallbacks (app_id, message_id, user_id, due_at, wake_at, error_code, created_at, updated_at)
       SELECT 'shop', $1, name, $2, $3, CASE name WHEN 'quiet' THEN 'quiet_hours' END, $2, $2
       FROM unnest(ARRAY['later', 'quiet']) name`,
      [messageId, clock.now(), morning],
    );
    await change({ quietHours: null });
    await run();
    const found = await query(`SELECT user_id, wake_at, error_code FROM fallbacks ORDER BY user_id`);
    expect(found).toEqual([
      { user_id: 'later', wake_at: morning, error_code: null },
      { user_id: 'quiet', wake_at: clock.now(), error_code: null },
    ]);
  });
});
