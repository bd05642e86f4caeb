import { deliveryStateRank, HOUR_MS, MINUTE_MS, type SendTime } from '@postrider/domain';
import {
  ApplicationsRepository,
  DeliveryReportsRepository,
  type PageKey,
  PacingRepository,
  QuietChangesRepository,
} from '@postrider/persistence';
import { APP_ID } from '../../testing/ledger';
import { usePageStage } from '../../testing/page-stage';
import { PagePacing } from './page-pacing.service';

const NEVER = new Promise<void>(() => undefined);

describe('the time of a page with a rate', () => {
  const stage = usePageStage();

  const pacing = (): PagePacing =>
    new PagePacing(stage.database.dataSource, stage.clock, new PacingRepository(stage.database.dataSource));

  /** Adds pages with the same devices, all of one message with this rate. */
  async function pagesWithRate(rate: number, pages: number, devices: number): Promise<PageKey[]> {
    const { key, devices: ids } = await stage.pageOf(devices);
    const keys = [key];
    while (keys.length < pages) keys.push(await stage.ledger.addPage(key.messageId, ids));
    await stage.ledger.run(`UPDATE messages SET rate = $1`, [rate]);
    await stage.ledger.run(`UPDATE pages SET is_steered = true`);
    return keys;
  }

  async function timeOf(key: PageKey): Promise<SendTime> {
    const decision = await pacing().admit(key);
    if (decision.kind !== 'admitted' || decision.time === null)
      throw new Error(`The page was not admitted: ${decision.kind}`);
    return decision.time;
  }

  it('begins when the page before has had its own, to the microsecond', async () => {
    const keys = await pagesWithRate(3_000, 10, 10);
    const times: number[] = [];
    for (const key of keys) times.push((await timeOf(key)).sendsAt);
    expect((times.at(-1) as number) - (times[0] as number)).toBeCloseTo(9 * (10 / 3), 2);
  });

  /** Attempts a page of two devices. @returns the time that its job awaited before anything was sent */
  const timeAwaited = async (key: PageKey): Promise<number> => {
    const awaited: number[] = [];
    const waits = jest.spyOn(PagePacing.prototype, 'waitForTime').mockImplementation((_, time) => {
      expect(stage.sender.sent).toEqual([]);
      awaited.push(time.sendsAt);
      return Promise.resolve();
    });
    expect(await stage.worker().attempt('fcm', key)).toEqual({ kind: 'finished' });
    waits.mockRestore();
    expect(awaited).toHaveLength(1);
    expect(stage.sender.sent).toHaveLength(2);
    return awaited[0] as number;
  };

  it('is awaited before anything is sent', async () => {
    const [key] = (await pagesWithRate(20, 1, 2)) as [PageKey];
    const sendsAt = stage.clock.now().getTime() + 250;
    expect(await timeAwaited(key)).toBe(sendsAt);
  });

  it('is awaited too by a job that claims the page right after another job had it admitted', async () => {
    const [key] = (await pagesWithRate(20, 1, 2)) as [PageKey];
    const { sendsAt } = await timeOf(key);
    expect(await timeAwaited(key)).toBeGreaterThanOrEqual(sendsAt + 100);
  });

  it('is another one for a page that is late, after those that others were given meanwhile', async () => {
    const [late, other] = (await pagesWithRate(20, 2, 2)) as [PageKey, PageKey];
    const time = await timeOf(late);
    stage.clock.advance(351);
    const others = await timeOf(other);
    const asked = jest.spyOn(PacingRepository.prototype, 'savePaces');
    await pacing().waitForTime({ key: late, page: { devices: [1, 2] }, ended: NEVER }, time);
    expect(asked.mock.calls.map(([, , { message }]) => message.passedUntil)).toEqual([others.sendsAt + 200]);
    asked.mockRestore();
  });
});

describe('devices whose quiet hours begin while their vendor is down', () => {
  const stage = usePageStage();

  it('get no push in the morning if their connection got the message meanwhile, and count once until then', async () => {
    const { clock, ledger, database } = stage;
    const {
      key,
      devices: [deviceId = ''],
    } = await stage.pageOf(1, 6 * 3_600);
    const timeOfDay = (ms: number): string => new Date(clock.now().getTime() + ms).toISOString().slice(11, 16);
    const quietHours = { start: timeOfDay(0), end: timeOfDay(2 * HOUR_MS), timeZone: 'UTC', applies: 'campaigns' };
    await ledger.run(`UPDATE applications SET quiet_hours = $1`, [quietHours]);
    // As a worker leaves the page and the row of a device with a connection behind when it holds the route.
    await ledger.run(`UPDATE installations SET realtime = true`);
    await ledger.run(`UPDATE pages SET is_steered = true, fence = 1`);
    await ledger.run(
      `INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor, in_inbox, created_at, updated_at)
       VALUES ($1, $2, $3, 'pending', 0, 'fcm', true, $4, $4)`,
      [APP_ID, key.messageId, deviceId, clock.now()],
    );
    expect(await stage.worker().attempt('fcm', key)).toBeNull();
    const reports = new DeliveryReportsRepository(database.dataSource);
    const [waiting] = await reports.count(database.dataSource, APP_ID, key.messageId);
    await ledger.run(`UPDATE deliveries SET state = 'delivered', rank = $1`, [deliveryStateRank('delivered')]);
    clock.advance(2 * HOUR_MS);
    const [page] = await ledger.run<{ id: string }>(`SELECT id FROM pages WHERE state = 'waiting'`);
    expect(await stage.worker().attempt('fcm', { ...key, pageId: page?.id ?? '' })).toEqual({ kind: 'finished' });
    expect(stage.sender.sent).toEqual([]);
    expect(waiting).toMatchObject({ state: 'pending', count: 1 });
  });
});

describe('devices that are tried again after their quiet hours', () => {
  const stage = usePageStage();

  it('are not given up for the time that they were put off', async () => {
    const { clock, ledger, sender } = stage;
    const { key } = await stage.pageOf(1, 12 * 3_600);
    const timeOfDay = (ms: number): string => new Date(clock.now().getTime() + ms).toISOString().slice(11, 16);
    const quietHours = { start: timeOfDay(0), end: timeOfDay(9 * HOUR_MS), timeZone: 'UTC', applies: 'campaigns' };
    await ledger.run(`UPDATE applications SET quiet_hours = $1`, [quietHours]);
    // Their vendor was not available a moment before.
    const firstAttemptAt = new Date(clock.now().getTime() - 10_000);
    await ledger.run(`UPDATE pages SET is_steered = true, attempt = 2, first_attempt_at = $1`, [firstAttemptAt]);
    expect(await stage.worker().attempt('fcm', key)).toBeNull();
    clock.advance(9 * HOUR_MS);
    const [page] = await ledger.run<{ id: string }>(`SELECT id FROM pages WHERE state = 'waiting'`);
    sender.answer = () => ({ kind: 'retryable', code: 'UNAVAILABLE', reason: 'overloaded', retryAfterMs: null });
    expect(await stage.worker().attempt('fcm', { ...key, pageId: page?.id ?? '' })).toEqual({ kind: 'finished' });
    expect(sender.sent).toHaveLength(1);
    expect(await ledger.states(key)).toEqual({});
    expect(await ledger.run(`SELECT attempt FROM pages WHERE state = 'waiting'`)).toEqual([{ attempt: 3 }]);
  });
});

describe('devices whose quiet hours are over', () => {
  const stage = usePageStage();

  it('no longer wait for them while they wait for the turn of their page, or for their vendor', async () => {
    const { key: first, devices } = await stage.pageOf(1);
    const second = await stage.ledger.addPage(first.messageId, devices);
    await stage.ledger.run(`UPDATE messages SET rate = 1`);
    const over = new Date(stage.clock.now().getTime() - 1);
    await stage.ledger.run(`UPDATE pages SET is_steered = true, waits_for = 'quiet_hours', not_before = $1`, [over]);
    const pacing = new PagePacing(
      stage.database.dataSource,
      stage.clock,
      new PacingRepository(stage.database.dataSource),
    );
    const decisions = [await pacing.admit(first), await pacing.admit(second)];
    expect(decisions.map(({ kind }) => kind)).toEqual(['admitted', 'waits']);
    const reasons = await stage.ledger.run(`SELECT waits_for FROM pages`);
    expect(reasons).toEqual([{ waits_for: null }, { waits_for: null }]);
  });
});

describe('devices whose quiet hours are changed while they wait for their end', () => {
  const stage = usePageStage();

  const timeOfDay = (ms: number): string => new Date(stage.clock.now().getTime() + ms).toISOString().slice(11, 16);

  /** Puts a page of two devices off for two hours. */
  async function putOff(): Promise<PageKey> {
    const { key } = await stage.pageOf(2, 12 * 3_600);
    await change({ start: timeOfDay(0), end: timeOfDay(2 * HOUR_MS) });
    await stage.ledger.run(`UPDATE pages SET is_steered = true`);
    expect(await stage.worker().attempt('fcm', key)).toBeNull();
    stage.clock.advance(1);
    return key;
  }

  async function change(hours: { start: string; end: string } | null): Promise<void> {
    const quietHours = hours && { ...hours, timeZone: 'UTC', applies: 'campaigns' as const };
    const applications = new ApplicationsRepository(stage.database.dataSource);
    await applications.update(APP_ID, { quietHours }, stage.clock.now());
  }

  /** Releases what waits, and lets a worker take it. */
  async function release(key: PageKey): Promise<unknown[]> {
    const changes = new QuietChangesRepository(stage.database.dataSource);
    const [found] = await changes.find();
    if (found)
      await changes.releasePages({ appId: APP_ID, since: found.changedAt }, { at: stage.clock.now(), limit: 10 });
    const pages = await stage.ledger.run<{ id: string }>(`SELECT id FROM pages WHERE state = 'waiting'`);
    return Promise.all(pages.map(({ id }) => stage.worker().attempt('fcm', { ...key, pageId: id })));
  }

  it('are sent to at once when they have none any more', async () => {
    const key = await putOff();
    await change(null);
    expect(await release(key)).toEqual([{ kind: 'finished' }]);
    expect(stage.sender.sent).toHaveLength(2);
  });

  it('wait until the new end', async () => {
    const key = await putOff();
    await change({ start: timeOfDay(0), end: timeOfDay(HOUR_MS) });
    expect(await release(key)).toEqual([null]);
    expect(stage.sender.sent).toEqual([]);
    const end = new Date(Math.floor((stage.clock.now().getTime() + HOUR_MS) / MINUTE_MS) * MINUTE_MS);
    const waiting = await stage.ledger.run(`SELECT not_before, waits_for FROM pages WHERE state = 'waiting'`);
    expect(waiting).toEqual([{ not_before: end, waits_for: 'quiet_hours' }]);
    stage.clock.goTo(end);
    expect(await release(key)).toEqual([{ kind: 'finished' }]);
    expect(stage.sender.sent).toHaveLength(2);
  });
});

describe('a page that was admitted before its quiet hours', () => {
  const stage = usePageStage();

  it('is not sent in them by whoever claims it hours later, after the worker that had it admitted died', async () => {
    const { clock, ledger, database } = stage;
    const { key } = await stage.pageOf(1, 24 * 3_600);
    const timeOfDay = (ms: number): string => new Date(clock.now().getTime() + ms).toISOString().slice(11, 16);
    const quietHours = {
      start: timeOfDay(HOUR_MS),
      end: timeOfDay(9 * HOUR_MS),
      timeZone: 'UTC',
      applies: 'campaigns',
    };
    await ledger.run(`UPDATE applications SET quiet_hours = $1`, [quietHours]);
    await ledger.run(`UPDATE pages SET is_steered = true`);
    const pacing = new PagePacing(database.dataSource, clock, new PacingRepository(database.dataSource));
    expect(await pacing.admit(key)).toEqual({ kind: 'admitted', time: null });
    clock.advance(2 * HOUR_MS);
    expect(await stage.worker().attempt('fcm', key)).toBeNull();
    expect(stage.sender.sent).toEqual([]);
    const [waiting] = await ledger.run<{ id: string }>(`SELECT id FROM pages WHERE state = 'waiting'`);
    clock.advance(7 * HOUR_MS);
    expect(await stage.worker().attempt('fcm', { ...key, pageId: waiting?.id ?? '' })).toEqual({ kind: 'finished' });
    expect(stage.sender.sent).toHaveLength(1);
  });
});

describe('a page that follows a connection which did not acknowledge its message', () => {
  const stage = usePageStage();

  it('is sent under a limit that is set when its message is done already', async () => {
    const { ledger, database } = stage;
    const { key } = await stage.pageOf(1);
    // As a message to a connected device is left behind when the device's connection hangs.
    await ledger.run(`UPDATE messages SET status = 'done', done_at = accepted_at, inbox_ends_at = expires_at`);
    await ledger.run(`UPDATE pages SET fence = 1`);
    await ledger.run(`UPDATE applications SET devices_per_second = 100`);
    await new PacingRepository(database.dataSource).steerOpenPages(APP_ID);
    expect(await stage.worker().attempt('fcm', key)).toEqual({ kind: 'finished' });
    expect(stage.sender.sent).toEqual(['t1']);
  });
});
