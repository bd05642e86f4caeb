import { deliveryStateRank, HOUR_MS, MINUTE_MS, type SendTime } from '@postrider/domain';
import {
  ApplicationsRepository,
  DeliveryReportsRepository,
  type PageKey,
  PacingRepository,
  QuietChangesRepository,
} from '@postrider/persistence';
import { APP_ID } from '../../testing/ledger';
import { accepted, FakeSender } from '../../testing/fake-sender';
import { usePageStage } from '../../testing/page-stage';
import { PagePacing } from './page-pacing.service';
import { PageTimes } from '../run/page-times';

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

  /** Lets a sender note when it is used. */
  function noteTimes(sender: FakeSender, times: number[]): void {
    sender.answer = (token) => {
      times.push(stage.clock.now().getTime());
      return accepted(token);
    };
  }

  /** Attempts a page of two devices. @returns when they were sent to */
  const timesSent = async (key: PageKey): Promise<number[]> => {
    const times: number[] = [];
    noteTimes(stage.sender, times);
    expect(await stage.worker().attempt('fcm', key)).toEqual({ kind: 'finished' });
    return times;
  };

  it('is awaited before anything is sent, and each device has a part of it', async () => {
    const [key] = (await pagesWithRate(20, 1, 2)) as [PageKey];
    const sendsAt = stage.clock.now().getTime() + 250;
    expect(await timesSent(key)).toEqual([sendsAt, sendsAt + 50]);
  });

  it('is awaited too by a job that claims the page right after another job had it admitted', async () => {
    const [key] = (await pagesWithRate(20, 1, 2)) as [PageKey];
    const { sendsAt } = await timeOf(key);
    expect(await timesSent(key)).toEqual([sendsAt + 100, sendsAt + 150]);
  });

  /** The times of a page whose devices are all left, on the clock of the test. */
  function timesOf(key: PageKey, devices: number, time: SendTime): PageTimes {
    const { clock } = stage;
    const pass = (ms: number): Promise<unknown> => {
      clock.advance(ms);
      return Promise.resolve();
    };
    const service = pacing();
    const takeAnotherTime = service.takeAnotherTime.bind(service);
    const page = { key, waiting: () => Array.from({ length: devices }), hasNext: true, ended: NEVER };
    return new PageTimes({ takeAnotherTime, now: () => clock.now().getTime(), pass }, page, time);
  }

  const rethrow = (error: unknown): never => {
    throw error;
  };

  it('is another one for a page that is late, after those that others were given meanwhile', async () => {
    const [late, other] = (await pagesWithRate(20, 2, 2)) as [PageKey, PageKey];
    const times = timesOf(late, 2, await timeOf(late));
    stage.clock.advance(400);
    const others = await timeOf(other);
    await times.wait(rethrow);
    expect(stage.clock.now().getTime()).toBe(others.sendsAt + 100);
    expect(times.use()).not.toBeNull();
    expect(times.use()).toBeNull();
  });

  it('is another one when the clock was set back by an hour: nobody waits until it has caught up', async () => {
    const [key, other] = (await pagesWithRate(20, 2, 2)) as [PageKey, PageKey];
    const times = timesOf(key, 2, await timeOf(key));
    stage.clock.setBack(3_600_000);
    const now = stage.clock.now().getTime();
    await times.wait(rethrow);
    expect(stage.clock.now().getTime()).toBe(now);
    expect(times.use()).not.toBeNull();
    await stage.ledger.run(`UPDATE pages SET not_before = NULL`);
    expect((await timeOf(other)).sendsAt).toBeLessThan(now + 1_000);
  });

  it('is another one for the devices that are left when their worker was stopped while it sent to the others', async () => {
    const [stopped, other] = (await pagesWithRate(40, 2, 4)) as [PageKey, PageKey];
    const time = await timeOf(stopped);
    const times = timesOf(stopped, 4, time);
    await times.wait(rethrow);
    expect(times.use()).not.toBeNull();
    stage.clock.advance(3_000);
    const others = await timeOf(other);
    expect(times.use()).toBeNull();
    await times.wait(rethrow);
    expect(stage.clock.now().getTime()).toBe(others.sendsAt + 100);
  });

  it('is asked for again while PostgreSQL is away: nothing is sent without one', async () => {
    const [key] = (await pagesWithRate(20, 1, 2)) as [PageKey];
    const times = timesOf(key, 2, await timeOf(key));
    stage.clock.advance(1_000);
    const away = new Error('PostgreSQL is away');
    const outage = jest.spyOn(PacingRepository.prototype, 'readLimits').mockRejectedValueOnce(away);
    const askedAt = stage.clock.now().getTime();
    const failed = jest.fn();
    await times.wait(failed);
    expect(failed.mock.calls).toEqual([[away]]);
    expect(stage.clock.now().getTime()).toBeGreaterThanOrEqual(askedAt + 1_000);
    expect(times.use()).not.toBeNull();
    outage.mockRestore();
  });

  /** Adds pages of named users with a rate of 100. */
  async function pagesOfUsers(count: number): Promise<(PageKey & { lane: 'transactional' })[]> {
    const keys = await pagesWithRate(100, count, 10);
    await stage.ledger.run(`UPDATE messages SET lane = 'transactional'`);
    await stage.ledger.run(`UPDATE pages SET lane = 'transactional'`);
    return keys.map((key) => ({ ...key, lane: 'transactional' as const }));
  }

  /** Lets another worker send these pages. */
  async function sendElsewhere(pages: (PageKey & { lane: 'transactional' })[], times: number[]): Promise<void> {
    const sender = new FakeSender('fcm');
    noteTimes(sender, times);
    const worker = stage.worker({ instanceId: 'other', sender });
    for (const page of pages) expect(await worker.attempt('fcm', page)).toEqual({ kind: 'finished' });
  }

  const busiestSecond = (times: number[]): number =>
    Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1_000).length));

  it('is over for devices that a slow vendor keeps waiting: they do not meet those of other workers', async () => {
    const pages = await pagesOfUsers(14);
    stage.sender.answer = () => undefined;
    const slow = stage.worker({ instanceId: 'slow', concurrency: 5 });
    const held = Promise.all(pages.splice(0, 3).map((page) => slow.attempt('fcm', page)));
    await stage.sender.untilWaiting(4);
    stage.clock.advance(3_000);
    const times: number[] = [];
    await sendElsewhere(pages, times);
    noteTimes(stage.sender, times);
    stage.sender.release();
    expect((await held).map((end) => end?.kind)).toEqual(['finished', 'finished', 'finished']);
    expect(stage.sender.sent).toHaveLength(30);
    expect(busiestSecond(times)).toBeLessThanOrEqual(110);
  });

  it('is over for devices whose requests wait for a connection: a new worker does not write them all at once', async () => {
    const pages = await pagesOfUsers(13);
    const { sender, clock } = stage;
    sender.answer = () => undefined;
    const worker = stage.worker({ instanceId: 'connecting' });
    const held = Promise.all(pages.splice(0, 2).map((page) => worker.attempt('fcm', page)));
    await sender.untilWaiting(20);
    clock.advance(1_000);
    const times: number[] = [];
    await sendElsewhere(pages, times);
    noteTimes(sender, times);
    // As senders do when the connection is there.
    const withdrawn = { kind: 'expired' as const, code: 'EXPIRED', reason: 'Its time is over' };
    const lastCallAt = new Map(sender.requests.map(({ token, lastCallAt: at }) => [token, at]));
    sender.release((token) => (clock.now().getTime() < lastCallAt.get(token)! ? sender.answer(token, 1) : withdrawn));
    expect((await held).map((end) => end?.kind)).toEqual(['finished', 'finished']);
    expect(times).toHaveLength(130);
    expect(busiestSecond(times)).toBeLessThanOrEqual(110);
  });

  it('is long enough in the end for a page whose requests are always written late', async () => {
    const pages = await pagesOfUsers(2);
    const { sender, clock } = stage;
    const times: number[] = [];
    sender.answer = (token) => {
      const { lastCallAt } = sender.requests.at(-1)!;
      if (sender.requests.length > 200) throw new Error(`${times.length} devices after 200 requests`);
      // As a sender does that needs that long until it writes: on a machine that is too busy, or when each request connects anew.
      clock.advance(300);
      if (clock.now().getTime() >= lastCallAt) return { kind: 'expired', code: 'EXPIRED', reason: 'Its time is over' };
      times.push(clock.now().getTime());
      return accepted(token);
    };
    for (const key of pages) expect(await stage.worker().attempt('fcm', key)).toEqual({ kind: 'finished' });
    expect(times).toHaveLength(20);
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
