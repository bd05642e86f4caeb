import { NO_DEVICE, type DeviceId, HOUR_MS, type SendOutcome } from '@postrider/domain';
import { DeadTokensRepository, type PageKey, RoutesRepository, rows, type VendorHealth } from '@postrider/persistence';
import { accepted } from '../testing/fake-sender';
import { APP_ID } from '../testing/ledger';
import { usePageStage } from '../testing/page-stage';
import { storeCredentials, type TestWorker } from '../testing/test-worker';
import { addWebhook } from '../webhooks/testing/webhook-worker';

const FCM = { appId: APP_ID, vendor: 'fcm' as const };

const refused: SendOutcome = { kind: 'config', code: 'PERMISSION_DENIED', reason: 'The key was revoked' };
const down: SendOutcome = { kind: 'retryable', code: 'UNAVAILABLE', reason: 'Down', retryAfterMs: null };
const dead: SendOutcome = { kind: 'token_invalid', code: 'UNREGISTERED', reason: 'Gone' };
const wrongTopic: SendOutcome = { kind: 'token_invalid', code: 'DeviceTokenNotForTopic', reason: 'Another topic' };

describe('what the operator sees of vendors', () => {
  const stage = usePageStage();

  beforeEach(async () => {
    await addWebhook(stage.database, APP_ID, 'https://example.com/', [
      'message.done',
      'delivery.failed',
      'token.removed',
      'vendor.credentials_failing',
      'vendor.breaker_opened',
      'tokens.quarantined',
    ]);
  });

  /** The reports of a test's workers; no worker waits for them. */
  const told: { mock: { results: { value?: unknown }[] } }[] = [];
  beforeEach(() => void told.splice(0));

  const worker = (instanceId = 'w1'): TestWorker => {
    const one = stage.worker({ instanceId });
    told.push(jest.spyOn(one.reports, 'held'), jest.spyOn(one.reports, 'works'));
    return one;
  };
  const pageOf = async (devices: DeviceId[]): Promise<PageKey> =>
    stage.ledger.addMessage({ devices, acceptedAt: stage.clock.now() });
  const health = async (): Promise<VendorHealth | undefined> =>
    (await new RoutesRepository(stage.database.dataSource).readHealth(APP_ID, stage.clock.now())).find(
      ({ vendor }) => vendor === 'fcm',
    );
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test looks into whatever came
  const events = async (type: string): Promise<any[]> =>
    (
      await rows<{ data: unknown }>(
        stage.database.dataSource,
        'SELECT data FROM webhook_events WHERE type = $1 ORDER BY created_at',
        [type],
      )
    ).map(({ data }) => data);
  const statuses = async (): Promise<(string | null)[]> =>
    (await stage.ledger.run<{ token_status: string | null }>('SELECT token_status FROM installations ORDER BY id')).map(
      ({ token_status }) => token_status,
    );
  /** Waits until all reports so far are written. */
  const settled = (): Promise<unknown> =>
    Promise.all(told.flatMap(({ mock }) => mock.results.map(({ value }) => value)));

  it('refused credentials are reported once by all workers, hold everything and fail nobody', async () => {
    stage.sender.answer = () => refused;
    const workers = [worker('w1'), worker('w2')];
    const pages = [await pageOf(await stage.addDevices(5)), await pageOf([...(await ids())])];
    await Promise.all(workers.map((one, place) => one.attempt('fcm', pages[place] as PageKey)));
    await settled();
    for (const one of workers) await one.reports.publish();
    expect(await events('vendor.credentials_failing')).toMatchObject([
      { vendor: 'fcm', code: 'PERMISSION_DENIED', reason: 'The key was revoked' },
    ]);
    expect(await events('vendor.breaker_opened')).toEqual([]);
    expect(await health()).toMatchObject({
      state: 'open',
      heldPages: 2,
      hasCredentials: true,
      credentials: { code: 'PERMISSION_DENIED' },
      breaker: null,
      lastError: { kind: 'config', code: 'PERMISSION_DENIED' },
      workers: [
        { workerId: 'w1', state: 'open' },
        { workerId: 'w2', state: 'open' },
      ],
    });
    expect(await stage.ledger.run('SELECT 1 FROM deliveries')).toEqual([]);
  });

  async function ids(): Promise<DeviceId[]> {
    const found = await stage.ledger.run<{ id: DeviceId }>(`SELECT id FROM installations ORDER BY id`);
    return found.map(({ id }) => id);
  }

  it('new credentials release what was held, and what works again is no trouble any more', async () => {
    stage.sender.answer = () => refused;
    const one = worker();
    const page = await pageOf(await stage.addDevices(3));
    await one.attempt('fcm', page);
    await settled();
    stage.sender.answer = accepted;
    await storeCredentials(stage.database, APP_ID, stage.clock.now());
    stage.clock.advance(150);
    expect(
      await new RoutesRepository(stage.database.dataSource).releasePages(APP_ID, 'fcm', stage.clock.now(), 10),
    ).toMatchObject([{ pageId: page.pageId, vendor: 'fcm' }]);
    expect(await one.attempt('fcm', page)).toEqual({ kind: 'finished' });
    await one.reports.publish();
    await settled();
    expect(await health()).toMatchObject({ state: 'ok', heldPages: 0, credentials: null });
    stage.sender.answer = () => refused;
    for (let n = 0; n < 3; n++) await one.attempt('fcm', await pageOf(await ids()));
    await settled();
    expect(await events('vendor.credentials_failing')).toHaveLength(2);
  });

  it('an outage is one event, however often it is tried in between, and ends when the vendor takes something', async () => {
    stage.sender.answer = () => down;
    const one = worker();
    const devices = await stage.addDevices(25);
    await one.attempt('fcm', await pageOf(devices));
    await settled();
    expect(await events('vendor.breaker_opened')).toMatchObject([{ vendor: 'fcm', code: 'UNAVAILABLE' }]);
    for (let n = 0; n < 3; n++) {
      stage.clock.advance(31_000);
      await one.attempt('fcm', await pageOf(devices));
    }
    await settled();
    expect(await events('vendor.breaker_opened')).toHaveLength(1);
    expect(await health()).toMatchObject({ breaker: { code: 'UNAVAILABLE' } });
    expect(one.lines.filter(({ event, level }) => event === 'route.held' && level === 50)).toHaveLength(1);
    stage.sender.answer = accepted;
    stage.clock.advance(31_000);
    expect(await one.attempt('fcm', await pageOf(devices))).toEqual({ kind: 'finished' });
    await settled();
    await one.reports.publish();
    expect(await health()).toMatchObject({ state: 'ok', breaker: null });
  });

  it('a held route is tried at once when the operator asks, however long the vendor wanted it to wait', async () => {
    stage.sender.answer = () => ({
      kind: 'throttled',
      code: '429',
      reason: 'Slow',
      scope: 'route',
      retryAfterMs: HOUR_MS,
    });
    const one = worker();
    const page = await pageOf(await stage.addDevices(30));
    await one.attempt('fcm', page);
    const late = await pageOf(await ids());
    await one.attempt('fcm', late);
    expect((await stage.ledger.pages(late.messageId))[0]).toMatchObject({ state: 'waiting' });
    stage.sender.answer = accepted;
    stage.clock.advance(3_000);
    await new RoutesRepository(stage.database.dataSource).askForRetry(FCM, stage.clock.now());
    const released = await new RoutesRepository(stage.database.dataSource).releasePages(
      APP_ID,
      'fcm',
      stage.clock.now(),
      10,
    );
    expect(released.map(({ pageId }) => pageId)).toContain(late.pageId);
    expect(await one.attempt('fcm', late)).toEqual({ kind: 'finished' });
  });

  it('a topic that is wrong for every device holds the route, and costs no device its token', async () => {
    stage.sender.answer = () => wrongTopic;
    const one = worker();
    const page = await pageOf(await stage.addDevices(50));
    await one.attempt('fcm', page);
    await settled();
    const states = Object.values(await stage.ledger.states(page));
    expect(states).toEqual([]);
    expect(await statuses()).toEqual(Array.from({ length: 50 }, () => null));
    expect(await events('vendor.credentials_failing')).toMatchObject([{ code: 'DeviceTokenNotForTopic' }]);
    stage.sender.answer = accepted;
    await storeCredentials(stage.database, APP_ID, stage.clock.now());
    stage.clock.advance(40_000);
    expect(await one.attempt('fcm', page)).toEqual({ kind: 'finished' });
    for (const { id } of (await stage.ledger.pages(page.messageId)).filter(({ attempt }) => Number(attempt) > 1)) {
      await one.attempt('fcm', { ...page, pageId: String(id) });
    }
    expect(Object.values(await stage.ledger.states(page))).toEqual(Array.from({ length: 50 }, () => 'sent'));
  });

  it('a few devices of another key hold nobody, blame nothing, and fail when others are taken', async () => {
    const foreign: SendOutcome = { kind: 'mismatch', code: 'HTTP_403', reason: 'Another key' };
    stage.sender.answer = (token) => (Number(token.slice(1)) <= 5 ? foreign : accepted(token));
    const one = worker();
    const page = await pageOf(await stage.addDevices(40));
    await one.attempt('fcm', page);
    const states = Object.values(await stage.ledger.states(page));
    expect(states).toEqual(Array.from({ length: 35 }, () => 'sent'));
    await one.reports.publish();
    expect(await health()).toMatchObject({ state: 'ok', credentials: null, breaker: null, waitingDevices: 5 });
    expect(one.lines.map(({ event }) => event)).not.toContain('route.held');
    stage.clock.advance(60_000);
    for (const { id } of (await stage.ledger.pages(page.messageId)).filter(({ attempt }) => Number(attempt) > 1)) {
      await one.attempt('fcm', { ...page, pageId: String(id) });
    }
    const failed = (await stage.ledger.deliveries(page.messageId)).filter(({ state }) => state === 'failed');
    expect(failed).toHaveLength(5);
    expect(failed[0]).toMatchObject({ error_code: 'HTTP_403', reason: expect.stringContaining('Another key') });
    expect(await statuses()).toEqual(Array.from({ length: 40 }, () => null));
    expect(await events('vendor.credentials_failing')).toEqual([]);
  });

  it('twenty devices of another key in a row, and none taken, are the credentials: the route is held, nobody fails', async () => {
    stage.sender.answer = () => ({ kind: 'mismatch', code: 'HTTP_403', reason: 'Another key' });
    const page = await pageOf(await stage.addDevices(60));
    await worker().attempt('fcm', page);
    await settled();
    expect(await stage.ledger.states(page)).toEqual({});
    expect(await events('vendor.credentials_failing')).toMatchObject([{ code: 'HTTP_403' }]);
  });

  it('devices of a former key hold nobody any more when another worker has found out that the credentials are good', async () => {
    const former: SendOutcome = { kind: 'mismatch', code: 'HTTP_403', reason: 'Another key' };
    stage.sender.answer = (token) => (Number(token.slice(1)) <= 60 ? former : accepted(token));
    const devices = await stage.addDevices(62);
    const [old, [first = NO_DEVICE, second = NO_DEVICE]] = [devices.slice(0, 60), devices.slice(60)];
    const [one, other] = [worker('w1'), worker('w2')];
    await one.attempt('fcm', await pageOf(old));
    await settled();
    expect(await health()).toMatchObject({ credentials: { code: 'HTTP_403' } });
    await other.attempt('fcm', await pageOf([first]));
    await other.reports.publish();
    await settled();
    stage.clock.advance(60_000);
    const page = await pageOf([...old, second]);
    await one.attempt('fcm', page);
    expect(await stage.ledger.states(page)).toEqual({ [second]: 'sent' });
    expect(await events('vendor.credentials_failing')).toHaveLength(1);
  });

  it('nothing leaves because no access token is to be had: that is said before any breaker opens, and until it is over', async () => {
    const one = worker();
    stage.sender.answer = () => ({
      kind: 'retryable',
      code: 'TOKEN_HTTP_503',
      reason: 'The token endpoint answered 503',
      retryAfterMs: null,
    });
    const since = stage.clock.now();
    const [device = NO_DEVICE] = await stage.addDevices(1);
    await one.attempt('fcm', await pageOf([device]));
    await one.reports.publish();
    expect(await health()).toMatchObject({ state: 'ok', heldPages: 1, waitingDevices: 1 });
    stage.clock.advance(3_000);
    await one.reports.publish();
    expect(await health()).toMatchObject({
      state: 'failing',
      since,
      lastError: { kind: 'retryable', code: 'TOKEN_HTTP_503', at: since },
      heldPages: 1,
      waitingDevices: 1,
      workers: [{ state: 'closed', failingSince: since }],
    });
    stage.sender.answer = accepted;
    await one.attempt('fcm', await pageOf([device]));
    await one.reports.publish();
    expect(await health()).toMatchObject({ state: 'ok', lastError: { code: 'TOKEN_HTTP_503' } });
  });

  it('nothing leaves because nothing is answered: that is said while the calls are still under way', async () => {
    const one = worker();
    stage.sender.answer = () => undefined;
    const since = stage.clock.now();
    const end = one.attempt('fcm', await pageOf(await stage.addDevices(2)));
    await stage.sender.untilWaiting(2);
    stage.clock.advance(5_000);
    await one.reports.publish();
    expect(await health()).toMatchObject({
      state: 'failing',
      since,
      lastError: { code: 'NO_ANSWER', reason: 'Nothing was answered for 5 s' },
    });
    stage.sender.release();
    await end;
    await one.reports.publish();
    expect(await health()).toMatchObject({ state: 'ok' });
  });

  it('an answer that blames a device does not begin the episode of refused credentials anew', async () => {
    const one = worker();
    const devices = await stage.addDevices(1);
    stage.sender.answer = () => refused;
    await one.attempt('fcm', await pageOf(devices));
    await settled();
    for (const answer of [dead, refused, dead, refused]) {
      stage.clock.advance(31_000);
      stage.sender.answer = () => answer;
      await one.attempt('fcm', await pageOf(devices));
      await one.reports.publish();
      await settled();
    }
    expect(await events('vendor.credentials_failing')).toHaveLength(1);
    expect(one.lines.filter(({ event }) => event === 'vendor.credentials-failing')).toHaveLength(1);
    expect(await health()).toMatchObject({ credentials: { code: 'PERMISSION_DENIED' } });
    stage.sender.answer = accepted;
    stage.clock.advance(31_000);
    await one.attempt('fcm', await pageOf(devices));
    await one.reports.publish();
    await settled();
    expect(await health()).toMatchObject({ credentials: null, state: 'ok' });
  });

  it('a device of another topic among good ones loses its token, as credentials that worked before a restart show', async () => {
    const devices = await stage.addDevices(2);
    const first = worker('w1');
    await first.attempt('fcm', await pageOf(devices));
    await first.reports.publish();
    await settled();
    stage.sender.answer = (token) => (token === 't1' ? wrongTopic : accepted(token));
    const page = await pageOf(devices);
    const second = worker('w2');
    await second.attempt('fcm', page);
    stage.clock.advance(HOUR_MS);
    await second.switchOff();
    expect(await statuses()).toEqual(['INVALID', null]);
    expect(await events('token.removed')).toMatchObject([{ count: 1, tokens: [{ userId: 'user1', vendor: 'fcm' }] }]);
  });

  it('a quarantine holds for every worker and after a restart, until the operator applies it', async () => {
    const devices = await stage.addDevices(60);
    stage.sender.answer = () => dead;
    const one = worker('w1');
    await one.attempt('fcm', await pageOf(devices));
    expect(await events('tokens.quarantined')).toMatchObject([
      { vendor: 'fcm', count: 60, share: 1, normalShare: 0, since: stage.clock.now().toISOString() },
    ]);
    expect(await health()).toMatchObject({
      quarantine: { count: 60, share: 1, normalShare: 0, since: stage.clock.now() },
      deadTokens: null,
    });
    expect((await health())?.quarantine?.sample).toHaveLength(10);
    // The share is small enough for another worker to believe it. A token that the vendor accepts again is no longer
    // called dead.
    stage.sender.answer = (token) => (Number(token.slice(1)) <= 20 ? accepted(token) : dead);
    const second = worker('w2');
    await second.attempt('fcm', await pageOf(devices));
    stage.clock.advance(2 * HOUR_MS);
    await second.hygiene.flush(true);
    await second.switchOff();
    expect(new Set(await statuses())).toEqual(new Set([null]));
    expect(await health()).toMatchObject({ quarantine: { count: 40 } });
    await stage.ledger.run(`UPDATE installations SET token = 'new', token_registered_at = now() WHERE id = $1`, [
      devices[59],
    ]);
    const trustedUntil = new Date(stage.clock.now().getTime() + HOUR_MS);
    expect(
      await new DeadTokensRepository(stage.database.dataSource).endQuarantine(
        stage.database.dataSource,
        FCM,
        trustedUntil,
      ),
    ).toBe(true);
    expect(
      await new DeadTokensRepository(stage.database.dataSource).applyQuarantine(FCM, stage.clock.now(), 1_000),
    ).toEqual({
      taken: 40,
      switchedOff: 39,
    });
    expect(await statuses()).toEqual([
      ...Array.from({ length: 20 }, () => null),
      ...Array.from({ length: 39 }, () => 'INVALID'),
      null,
    ]);
    expect(await events('token.removed')).toMatchObject([{ count: 39 }]);
    expect((await health())?.quarantine).toBeNull();
  });

  it('tokens that are released stay on, and are believed dead once the vendor is itself again', async () => {
    const devices = await stage.addDevices(60);
    stage.sender.answer = () => dead;
    await worker('w1').attempt('fcm', await pageOf(devices));
    expect(
      await new DeadTokensRepository(stage.database.dataSource).releaseQuarantine(
        stage.database.dataSource,
        FCM,
        1_000,
      ),
    ).toBe(60);
    expect(
      await new DeadTokensRepository(stage.database.dataSource).endQuarantine(stage.database.dataSource, FCM, null),
    ).toBe(true);
    stage.sender.answer = (token) => (token === 't60' ? dead : accepted(token));
    const second = worker('w2');
    await second.attempt('fcm', await pageOf(devices));
    expect(await health()).toMatchObject({ quarantine: null, deadTokens: { count: 1 } });
    stage.clock.advance(HOUR_MS);
    await second.switchOff();
    expect(await statuses()).toEqual([...Array.from({ length: 59 }, () => null), 'INVALID']);
    expect(await health()).toMatchObject({ quarantine: null, deadTokens: null });
  });

  it('failed deliveries go into one event a page, each device once, whoever began the page', async () => {
    const devices = await stage.addDevices(60);
    const bad: SendOutcome = { kind: 'request_invalid', code: 'INVALID_ARGUMENT', reason: 'Bad' };
    stage.sender.answer = (token) => (Number(token.slice(1)) % 3 === 0 ? bad : accepted(token));
    const page = await pageOf(devices);
    // The outcomes that a killed worker had recorded.
    await stage.ledger.run(
      `INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor, error_code, attempt)
       VALUES ($1, $2, $3, 'failed', 10, 'fcm', 'EARLIER', 1)`,
      [APP_ID, page.messageId, devices[0]],
    );
    await stage.ledger.run(`UPDATE pages SET fence = 1, state = 'running', leased_by = 'dead', wake_at = $1`, [
      stage.clock.now(),
    ]);
    const one = worker();
    await one.attempt('fcm', page);
    const [event, ...others] = await events('delivery.failed');
    expect(others).toEqual([]);
    expect(event).toMatchObject({ messageId: page.messageId, count: 21 });
    const codes = event.deliveries.map(({ errorCode }: { errorCode: string }) => errorCode);
    expect(codes.filter((code: string) => code === 'INVALID_ARGUMENT')).toHaveLength(20);
    expect(codes).toContain('EARLIER');
    expect(new Set(event.deliveries.map(({ userId }: { userId: string }) => userId)).size).toBe(21);
    await one.complete();
    await one.complete();
    expect(await events('message.done')).toMatchObject([{ messageId: page.messageId, kind: 'query', count: 60 }]);
    const [{ totals }] = await events('message.done');
    expect(totals).toMatchObject({ sent: 39, failed: 21, pending: 0, skipped: 0, cancelled: 0 });
  });
});
