import type { SendOutcome } from '@postrider/domain';
import type { PageKey } from '@postrider/persistence';
import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { FakeSender } from '../testing/fake-sender';
import { APP_ID, Ledger } from '../testing/ledger';
import {
  startTestWorker,
  storeCredentials,
  TestClock,
  type TestWorker,
  type TestWorkerOptions,
} from '../testing/test-worker';

const HOUR_MS = 3_600_000;

describe('attempting a page', () => {
  let database: ThrowAwayDatabase;
  let ledger: Ledger;
  let clock: TestClock;
  let sender: FakeSender;

  beforeEach(async () => {
    database = await createThrowAwayDatabase();
    ledger = new Ledger(database);
    clock = new TestClock();
    sender = new FakeSender('fcm');
    await ledger.addApplication();
    await storeCredentials(database, APP_ID, clock.now());
  });

  afterEach(() => database.drop());

  function worker(options: TestWorkerOptions = {}): TestWorker {
    return startTestWorker(database, { clock, sender, ...options });
  }

  async function pageOf(count: number, ttlSeconds?: number): Promise<{ key: PageKey; devices: number[] }> {
    const devices = await ledger.addDevices(count, new Date(clock.now().getTime() - HOUR_MS));
    const key = await ledger.addMessage({ devices, acceptedAt: clock.now(), ttlSeconds });
    return { key, devices };
  }

  it('sends to every device once, records it, and finishes the page and the message', async () => {
    const { key, devices } = await pageOf(500);
    const { attempt, complete } = worker({ concurrency: 100 });
    expect(await attempt('fcm', key)).toEqual({ kind: 'finished' });
    await complete();
    expect(sender.sent).toEqual(devices.map((_, n) => `t${n + 1}`));
    const deliveries = await ledger.deliveries(key.messageId);
    expect(deliveries).toHaveLength(500);
    expect(deliveries[7]).toMatchObject({
      state: 'sent',
      rank: 2,
      vendor: 'fcm',
      vendor_message_id: 'id of t8',
      attempt: 1,
      error_code: null,
      sent_at: clock.now(),
    });
    const [page] = await ledger.pages(key.messageId);
    expect(page).toMatchObject({ state: 'finished', wake_at: null, leased_by: null, finished_at: clock.now() });
    expect(await ledger.message(key.messageId)).toMatchObject({ status: 'done', wake_at: null, done_at: clock.now() });
    expect(await attempt('fcm', key)).toBeNull();
    expect(sender.sent).toHaveLength(500);
  });

  it('says what is asked of the vendor: the rest of the life, and one id for every attempt', async () => {
    const { key } = await pageOf(1, 100);
    clock.advance(40_500);
    await worker().attempt('fcm', key);
    expect(sender.requests[0]).toMatchObject({ token: 't1', ttlSeconds: 59 });
    expect(sender.requests[0]?.deliveryId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5/);
    expect(sender.requests[0]?.deliveryId).toBe(sender.requests[0]?.deliveryId);
  });

  it('tells of a page in one line and in the metrics', async () => {
    const { key } = await pageOf(3);
    sender.answer = (token) =>
      token === 't2' ? { kind: 'request_invalid', code: 'INVALID_ARGUMENT', reason: 'bad\0 payload' } : ok(token);
    const { attempt, lines, metrics } = worker();
    await attempt('fcm', key);
    expect(lines).toEqual([
      expect.objectContaining({ event: 'page.attempted', devices: 3, sent: 2, failed: 1, end: 'finished', attempt: 1 }),
    ]);
    const text = await metrics.metrics();
    expect(text).toContain('postrider_deliveries_total{vendor="fcm",state="sent"} 2');
    expect(text).toContain('postrider_deliveries_total{vendor="fcm",state="failed"} 1');
    expect(text).toContain(
      'postrider_vendor_outcomes_total{vendor="fcm",kind="request_invalid",code="INVALID_ARGUMENT"} 1',
    );
    expect(text).toContain('postrider_vendor_latency_seconds_count{vendor="fcm"} 3');
    expect(text).toContain(`postrider_route_state{app_id="${APP_ID}",vendor="fcm"} 0`);
    expect((await ledger.deliveries(key.messageId))[1]).toMatchObject({
      error_code: 'INVALID_ARGUMENT',
      reason: 'bad payload',
    });
  });

  it('repeats only what was not recorded when a worker died in the middle of the page', async () => {
    const { key, devices } = await pageOf(10);
    sender.answer = (token, times) => (['t4', 't5'].includes(token) && times === 1 ? undefined : ok(token));
    const dead = worker({ instanceId: 'dead', concurrency: 100 });
    const lost = dead.attempt('fcm', key);
    await sender.untilWaiting(2);
    clock.advance(101);
    await recorded(key, 8);
    const heir = worker({ instanceId: 'heir' });
    expect(await heir.attempt('fcm', key)).toBeNull();
    await ledger.run(`UPDATE pages SET wake_at = $1`, [clock.now()]);
    sender.sent.length = 0;
    expect(await heir.attempt('fcm', key)).toEqual({ kind: 'finished' });
    expect(sender.sent).toEqual(['t4', 't5']);
    expect(Object.keys(await ledger.states(key))).toHaveLength(devices.length);

    sender.release(() => ({ kind: 'request_invalid', code: 'LATE', reason: 'from the worker that lost the page' }));
    expect(await lost).toEqual({ kind: 'lost' });
    expect(new Set(Object.values(await ledger.states(key)))).toEqual(new Set(['sent']));
  });

  it('gives a page to one of two workers', async () => {
    const { key } = await pageOf(50);
    const ends = await Promise.all([worker().attempt('fcm', key), worker().attempt('fcm', key)]);
    expect(ends.filter((end) => end !== null)).toEqual([{ kind: 'finished' }]);
    expect(sender.sent).toHaveLength(50);
  });

  it('expires what is left when the message’s time is up in the middle of a page', async () => {
    const { key, devices } = await pageOf(3, 10);
    sender.answer = (token) => {
      clock.advance(6_000);
      return ok(token);
    };
    expect(await worker().attempt('fcm', key)).toEqual({ kind: 'finished' });
    expect(sender.sent.length).toBeLessThan(3);
    const states = Object.values(await ledger.states(key));
    expect(states).toHaveLength(devices.length);
    expect(states.filter((state) => state === 'expired')).toHaveLength(3 - sender.sent.length);
  });

  it('sends a now-or-never message right away, and never later', async () => {
    const { key } = await pageOf(1, 0);
    await worker().attempt('fcm', key);
    expect(sender.requests[0]?.ttlSeconds).toBe(0);
    const late = await ledger.addMessage({ devices: [1], acceptedAt: clock.now(), ttlSeconds: 0 });
    clock.advance(11_000);
    await worker().attempt('fcm', late);
    expect(sender.sent).toHaveLength(1);
    expect(await ledger.states(late)).toEqual({ 1: 'expired' });
  });

  it('stops a running page when its message is cancelled', async () => {
    const { key } = await pageOf(6);
    sender.answer = () => undefined;
    const { attempt, inHand } = worker({ concurrency: 5 });
    const end = attempt('fcm', key);
    await sender.untilWaiting(4);
    await ledger.run(`UPDATE messages SET status = 'cancelled', cancelled_at = now()`);
    await inHand.watch();
    sender.release();
    expect(await end).toEqual({ kind: 'finished' });
    const states = Object.values(await ledger.states(key));
    expect(states.filter((state) => state === 'sent')).toHaveLength(4);
    expect(states.filter((state) => state === 'cancelled')).toHaveLength(2);
  });

  it('sends nothing of a message that was cancelled before', async () => {
    const { key, devices } = await pageOf(2);
    await ledger.run(`UPDATE messages SET status = 'cancelled'`);
    await worker().attempt('fcm', key);
    expect(sender.sent).toEqual([]);
    expect(await ledger.states(key)).toEqual({ [devices[0]!]: 'cancelled', [devices[1]!]: 'cancelled' });
  });

  it('skips devices that are gone, in other hands, or without a token by now', async () => {
    const { key, devices } = await pageOf(5);
    const [one, two, three, four] = devices;
    await ledger.run(`DELETE FROM installations WHERE id = $1`, [one]);
    await ledger.run(`UPDATE installations SET user_since = now() + interval '1 minute' WHERE id = $1`, [two]);
    await ledger.run(`UPDATE installations SET token = NULL WHERE id = $1`, [three]);
    await ledger.run(`UPDATE installations SET token_status = 'INVALID' WHERE id = $1`, [four]);
    await worker().attempt('fcm', key);
    expect(sender.sent).toEqual(['t5']);
    const deliveries = await ledger.deliveries(key.messageId);
    expect(deliveries.map(({ state, error_code }) => [state, error_code])).toEqual([
      ['skipped', 'installation_removed'],
      ['skipped', 'user_changed'],
      ['skipped', 'token_removed'],
      ['skipped', 'token_removed'],
      ['sent', null],
    ]);
  });

  it('finishes a page on which nobody can be sent to any more', async () => {
    const { key } = await pageOf(2);
    await ledger.run(`DELETE FROM installations`);
    expect(await worker().attempt('fcm', key)).toEqual({ kind: 'finished' });
    expect(Object.values(await ledger.states(key))).toEqual(['skipped', 'skipped']);
  });

  describe('what can be tried again', () => {
    const busy = (retryAfterMs: number | null): SendOutcome => ({
      kind: 'throttled',
      code: 'QUOTA_EXCEEDED',
      reason: 'slow down',
      scope: 'token',
      retryAfterMs,
    });

    it('goes to a later page, not before the vendor’s Retry-After', async () => {
      const { key, devices } = await pageOf(3);
      sender.answer = (token, times) => (token === 't2' && times === 1 ? busy(300_000) : ok(token));
      const { attempt, enqueued, complete } = worker();
      await attempt('fcm', key);
      await complete();
      const [first, retry] = await ledger.pages(key.messageId);
      expect(first).toMatchObject({ state: 'finished' });
      expect(retry).toMatchObject({ state: 'waiting', attempt: 2, device_ids: [String(devices[1])], lane: 'campaign' });
      const delayMs = (retry?.not_before as Date).getTime() - clock.now().getTime();
      expect(delayMs).toBeGreaterThanOrEqual(300_000);
      expect(delayMs).toBeLessThanOrEqual(360_000);
      expect(retry?.wake_at).toEqual(retry?.not_before);
      expect(enqueued).toEqual([{ pageId: retry?.id, delayMs: delayMs + 5 }]);
      expect(await ledger.message(key.messageId)).toMatchObject({ status: 'accepted' });

      const again = { ...key, pageId: retry?.id as string };
      expect(await attempt('fcm', again)).toBeNull();
      clock.advance(delayMs);
      expect(await attempt('fcm', again)).toEqual({ kind: 'finished' });
      await complete();
      expect((await ledger.deliveries(key.messageId)).map(({ state, attempt }) => [state, attempt])).toEqual([
        ['sent', 1],
        ['sent', 2],
        ['sent', 1],
      ]);
      expect(await ledger.message(key.messageId)).toMatchObject({ status: 'done' });
    });

    it('expires instead when the vendor wants to be left alone for longer than the message lives', async () => {
      const { key, devices } = await pageOf(1, 200);
      sender.answer = () => busy(300_000);
      await worker().attempt('fcm', key);
      expect(await ledger.states(key)).toEqual({ [devices[0]!]: 'expired' });
      expect(await ledger.pages(key.messageId)).toHaveLength(1);
    });

    it('expires at once when its message’s time is up while it waits', async () => {
      const { key, devices } = await pageOf(1, 400);
      sender.answer = () => busy(300_000);
      const { attempt } = worker();
      await attempt('fcm', key);
      const [, retry] = await ledger.pages(key.messageId);
      clock.advance(400_000);
      await attempt('fcm', { ...key, pageId: retry?.id as string });
      expect(sender.sent).toHaveLength(1);
      expect(await ledger.states(key)).toEqual({ [devices[0]!]: 'expired' });
    });

    it('is repeated once when no answer came, and fails the second time', async () => {
      const { key, devices } = await pageOf(1);
      sender.answer = () => ({ kind: 'ambiguous', code: 'TIMEOUT', reason: 'no answer within 10 s' });
      const { attempt } = worker();
      await attempt('fcm', key);
      const [, retry] = await ledger.pages(key.messageId);
      expect(retry).toMatchObject({ is_unanswered: true });
      clock.advance(60_000);
      await attempt('fcm', { ...key, pageId: retry?.id as string });
      expect(sender.sent).toHaveLength(2);
      expect(sender.requests[0]?.deliveryId).toBe(sender.requests[1]?.deliveryId);
      expect(await ledger.states(key)).toEqual({ [devices[0]!]: 'failed' });
      expect(await ledger.pages(key.messageId)).toHaveLength(2);
    });
  });

  describe('a dead token', () => {
    const dead = (deadSince?: Date): SendOutcome => ({
      kind: 'token_invalid',
      code: 'UNREGISTERED',
      reason: 'gone',
      ...(deadSince && { deadSince }),
    });
    const tokenStatus = async (): Promise<unknown[]> =>
      (await ledger.run('SELECT token_status FROM installations ORDER BY id')).map(({ token_status }) => token_status);

    it('is switched off, and the delivery failed with the vendor’s code', async () => {
      const { key } = await pageOf(2);
      sender.answer = (token) => (token === 't1' ? dead() : ok(token));
      await worker().attempt('fcm', key);
      expect(await tokenStatus()).toEqual(['INVALID', null]);
      expect((await ledger.deliveries(key.messageId))[0]).toMatchObject({
        state: 'failed',
        error_code: 'UNREGISTERED',
      });
    });

    it('stays on when the device registered it again, or another one, meanwhile', async () => {
      const { key, devices } = await pageOf(3);
      sender.answer = (token) => (token === 't3' ? dead(new Date(clock.now().getTime() - 2 * HOUR_MS)) : undefined);
      const { attempt } = worker();
      const end = attempt('fcm', key);
      await sender.untilWaiting(2);
      await ledger.run(`UPDATE installations SET token_registered_at = now() WHERE id = $1`, [devices[0]]);
      await ledger.run(`UPDATE installations SET token = 'new' WHERE id = $1`, [devices[1]]);
      sender.release(() => dead());
      await end;
      expect(await tokenStatus()).toEqual([null, null, null]);
      expect(Object.values(await ledger.states(key))).toEqual(['failed', 'failed', 'failed']);
    });

    it('stays on when most of many tokens are called dead at once', async () => {
      const { key } = await pageOf(40);
      sender.answer = (token) => (Number(token.slice(1)) > 10 ? dead() : ok(token));
      const { attempt, lines } = worker();
      await attempt('fcm', key);
      expect(new Set(await tokenStatus())).toEqual(new Set([null]));
      expect(lines).toContainEqual(
        expect.objectContaining({ event: 'tokens.quarantined', count: 30, share: 0.75, appId: APP_ID, vendor: 'fcm' }),
      );
    });
  });

  describe('a route that does not work', () => {
    const refused: SendOutcome = { kind: 'config', code: 'PERMISSION_DENIED', reason: 'wrong key' };

    it('is held, not failed: nobody loses the message or a token, and it goes out when the credentials are right', async () => {
      const { key, devices } = await pageOf(40);
      sender.answer = () => refused;
      const { attempt, lines, metrics, complete } = worker({ concurrency: 10 });
      const end = await attempt('fcm', key);
      expect(end).toMatchObject({ kind: 'waits' });
      expect(lines.filter(({ event }) => event === 'route.held')).toEqual([
        expect.objectContaining({ appId: APP_ID, vendor: 'fcm', code: 'PERMISSION_DENIED', reason: 'wrong key' }),
      ]);
      expect(await metrics.metrics()).toContain(`postrider_route_state{app_id="${APP_ID}",vendor="fcm"} 2`);
      expect(await ledger.states(key)).toEqual({});
      const [page] = await ledger.pages(key.messageId);
      expect(page).toMatchObject({ state: 'waiting', attempt: 1, first_attempt_at: null });
      expect((page?.device_ids as string[]).map(Number).sort((a, b) => a - b)).toEqual(devices);
      expect(new Set(await statuses())).toEqual(new Set([null]));

      await storeCredentials(database, APP_ID, clock.now());
      sender.answer = ok;
      clock.advance(60_000);
      expect(await attempt('fcm', key)).toEqual({ kind: 'finished' });
      await complete();
      expect(new Set(Object.values(await ledger.states(key)))).toEqual(new Set(['sent']));
      expect(await ledger.message(key.messageId)).toMatchObject({ status: 'done' });
    });

    it('sends nothing while it is held, then one device to see, and goes on', async () => {
      const { key } = await pageOf(5);
      sender.answer = () => refused;
      const { attempt, lines } = worker();
      await attempt('fcm', key);
      await ledger.run('UPDATE pages SET not_before = NULL');
      sender.sent.length = 0;
      expect(await attempt('fcm', key)).toMatchObject({ kind: 'waits' });
      expect(sender.sent).toEqual([]);

      clock.advance(60_000);
      sender.answer = () => undefined;
      const end = attempt('fcm', key);
      await sender.untilWaiting(1);
      await new Promise((resolve) => setImmediate(resolve));
      expect(sender.sent).toHaveLength(1);
      sender.answer = ok;
      sender.release();
      expect(await end).toEqual({ kind: 'finished' });
      expect(lines.map(({ event }) => event)).toContain('route.resumed');
    });

    it('is held after many refusals in a row, for as long as the vendor asks', async () => {
      const { key } = await pageOf(200);
      sender.answer = () => ({
        kind: 'throttled',
        code: 'QUOTA_EXCEEDED',
        reason: 'slow down',
        scope: 'route',
        retryAfterMs: 90_000,
      });
      const { attempt } = worker({ concurrency: 40 });
      const end = await attempt('fcm', key);
      expect(end?.kind === 'waits' && end.delayMs).toBeGreaterThanOrEqual(90_000);
      expect(sender.sent.length).toBeLessThan(60);
      const pages = await ledger.pages(key.messageId);
      expect(pages.flatMap(({ device_ids }) => device_ids as string[])).toHaveLength(200);
    });

    it('expires its messages in time', async () => {
      const { key } = await pageOf(2, 30);
      sender.answer = () => refused;
      const { attempt } = worker();
      await attempt('fcm', key);
      clock.advance(30_000);
      await attempt('fcm', key);
      expect(Object.values(await ledger.states(key))).toEqual(['expired', 'expired']);
    });

    it('waits when the application has no credentials at all', async () => {
      await ledger.run('DELETE FROM vendor_credentials');
      const { key } = await pageOf(2);
      const { attempt, lines } = worker();
      expect(await attempt('fcm', key)).toMatchObject({ kind: 'waits' });
      expect(sender.sent).toEqual([]);
      expect(await ledger.states(key)).toEqual({});
      expect(lines).toContainEqual(expect.objectContaining({ event: 'route.held', code: 'no_sender' }));
    });

    async function statuses(): Promise<unknown[]> {
      return (await ledger.run('SELECT token_status FROM installations')).map(({ token_status }) => token_status);
    }
  });

  it('gives the rest of a page back when the process stops, after what was in flight', async () => {
    const { key, devices } = await pageOf(8);
    sender.answer = () => undefined;
    const { attempt, stop } = worker({ concurrency: 5 });
    const end = attempt('fcm', key);
    await sender.untilWaiting(4);
    stop();
    sender.release();
    expect(await end).toMatchObject({ kind: 'waits' });
    expect(Object.values(await ledger.states(key))).toEqual(['sent', 'sent', 'sent', 'sent']);
    const [page] = await ledger.pages(key.messageId);
    expect(page).toMatchObject({ state: 'waiting', not_before: null, device_ids: devices.slice(4).map(String) });
    expect((page?.wake_at as Date).getTime()).toBeLessThanOrEqual(clock.now().getTime());

    sender.answer = ok;
    expect(await worker().attempt('fcm', key)).toEqual({ kind: 'finished' });
    expect(sender.sent).toHaveLength(8);
  });

  it('keeps what came of the calls while PostgreSQL is away, sends nothing meanwhile, and goes on', async () => {
    const { key } = await pageOf(12);
    sender.answer = (token, times) => (Number(token.slice(1)) > 2 && times === 1 ? undefined : ok(token));
    const { attempt, lines } = worker({ concurrency: 8 });
    const end = attempt('fcm', key);
    await sender.untilWaiting(6);
    const query = jest.spyOn(database.dataSource, 'query');
    query.mockRejectedValue(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));
    clock.advance(101);
    while (!lines.some(({ event }) => event === 'page.flush-delayed')) await new Promise((next) => setImmediate(next));
    const before = sender.sent.length;
    sender.answer = ok;
    sender.release();
    await new Promise((next) => setTimeout(next, 60));
    expect(sender.sent).toHaveLength(before);

    query.mockRestore();
    clock.advance(1_000);
    expect(await end).toEqual({ kind: 'finished' });
    expect(sender.sent).toHaveLength(12);
    expect(Object.values(await ledger.states(key))).toEqual(Array(12).fill('sent'));
  });

  it('takes new credentials up within two seconds, and lets the former sender finish', async () => {
    const { key, devices } = await pageOf(1);
    const { attempt } = worker();
    await attempt('fcm', key);
    await storeCredentials(database, APP_ID, clock.now());
    clock.advance(2_000);
    await attempt('fcm', await ledger.addMessage({ devices, acceptedAt: clock.now() }));
    expect(sender.isClosed).toBe(true);
  });

  it('lets named users go ahead of a campaign', async () => {
    const { key, devices } = await pageOf(20);
    const urgent = await ledger.addMessage({
      devices: devices.slice(0, 1),
      acceptedAt: clock.now(),
      lane: 'transactional',
    });
    sender.answer = () => undefined;
    const { attempt } = worker({ concurrency: 8 });
    const campaign = attempt('fcm', key);
    await sender.untilWaiting(6);
    const named = attempt('fcm', urgent);
    await running(urgent);
    sender.answer = ok;
    sender.release();
    await Promise.all([campaign, named]);
    expect(sender.sent[6]).toBe('t1');
  });

  function ok(token: string): SendOutcome {
    return { kind: 'accepted', vendorMessageId: `id of ${token}` };
  }

  /** Until `count` deliveries stand: the flush runs on a timer of its own. */
  async function recorded({ messageId }: PageKey, count: number): Promise<void> {
    while ((await ledger.deliveries(messageId)).length < count) await new Promise((resolve) => setImmediate(resolve));
  }

  async function running({ messageId }: PageKey): Promise<void> {
    while ((await ledger.pages(messageId))[0]?.state !== 'running')
      await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
});
