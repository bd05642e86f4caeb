import { HOUR_MS, type SendOutcome } from '@postrider/domain';
import type { PageKey } from '@postrider/persistence';
import { untilTrue } from '@postrider/testing';
import { accepted } from '../testing/fake-sender';
import { APP_ID } from '../testing/ledger';
import { usePageStage } from '../testing/page-stage';
import { storeCredentials, type TestWorker } from '../testing/test-worker';

describe('a route that does not work', () => {
  const stage = usePageStage();

  const refused: SendOutcome = { kind: 'config', code: 'PERMISSION_DENIED', reason: 'wrong key' };

  it('is held, not failed: nobody loses the message or a token, and it goes out when the credentials are right', async () => {
    const { key, devices } = await stage.pageOf(40);
    stage.sender.answer = () => refused;
    const { attempt, lines, metrics, complete } = stage.worker({ concurrency: 10 });
    const end = await attempt('fcm', key);
    expect(end).toMatchObject({ kind: 'waits' });
    expect(lines.filter(({ event }) => event === 'route.held')).toEqual([
      expect.objectContaining({ appId: APP_ID, vendor: 'fcm', code: 'PERMISSION_DENIED', reason: 'wrong key' }),
    ]);
    expect(await metrics.metrics()).toContain(`postrider_route_state{app_id="${APP_ID}",vendor="fcm"} 2`);
    expect(await metrics.metrics()).toContain(
      'postrider_held_routes{vendor="fcm",kind="config",code="PERMISSION_DENIED"} 1',
    );
    expect(await stage.ledger.states(key)).toEqual({});
    const [page] = await stage.ledger.pages(key.messageId);
    expect(page).toMatchObject({ state: 'waiting', attempt: 1, first_attempt_at: null });
    expect(page?.device_ids).toEqual(devices);
    expect(new Set(await statuses())).toEqual(new Set([null]));

    await storeCredentials(stage.database, APP_ID, stage.clock.now());
    stage.sender.answer = accepted;
    stage.clock.advance(60_000);
    expect(await attempt('fcm', key)).toEqual({ kind: 'finished' });
    expect(await metrics.metrics()).not.toContain('postrider_held_routes{');
    await complete();
    expect(new Set(Object.values(await stage.ledger.states(key)))).toEqual(new Set(['sent']));
    expect(await stage.ledger.message(key.messageId)).toMatchObject({ status: 'done' });
  });

  it('is not held for a key that some devices need: these get the message when it is stored, the others at once', async () => {
    const { key } = await stage.pageOf(12);
    const needsKey = (token: string): boolean => ['t3', 't4', 't5', 't6', 't7'].includes(token);
    stage.sender.answer = (token) =>
      needsKey(token) ? { kind: 'config', code: 'THIRD_PARTY_AUTH_ERROR', reason: 'no key of APNs' } : accepted(token);
    const { attempt, lines, complete } = stage.worker({ concurrency: 1 });
    expect(await attempt('fcm', key)).toEqual({ kind: 'finished' });
    expect(stage.sender.sent).toHaveLength(12);
    expect(Object.values(await stage.ledger.states(key)).filter((state) => state === 'sent')).toHaveLength(7);
    stage.sender.answer = accepted;
    stage.clock.advance(60_000);
    const retries = (await stage.ledger.pages(key.messageId)).filter(({ state }) => state === 'waiting');
    for (const { id } of retries) await attempt('fcm', { ...key, pageId: id as string });
    await complete();
    expect(Object.values(await stage.ledger.states(key))).toEqual(Array.from({ length: 12 }, () => 'sent'));
    expect(lines.map(({ event }) => event)).not.toContain('route.held');
  });

  it('sends nothing while it is held, then one device to see, and goes on', async () => {
    const { key } = await stage.pageOf(5);
    stage.sender.answer = () => refused;
    const { attempt, lines } = stage.worker();
    await attempt('fcm', key);
    await stage.ledger.run('UPDATE pages SET not_before = NULL');
    stage.sender.sent.length = 0;
    expect(await attempt('fcm', key)).toMatchObject({ kind: 'waits' });
    expect(stage.sender.sent).toEqual([]);

    stage.clock.advance(60_000);
    stage.sender.answer = () => undefined;
    const end = attempt('fcm', key);
    await stage.sender.untilWaiting(1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(stage.sender.sent).toHaveLength(1);
    stage.sender.answer = accepted;
    stage.sender.release();
    expect(await end).toEqual({ kind: 'finished' });
    expect(lines.map(({ event }) => event)).toContain('route.resumed');
  });

  it('is held after many refusals in a row, for as long as the vendor asks', async () => {
    const { key } = await stage.pageOf(200);
    stage.sender.answer = () => ({
      kind: 'throttled',
      code: 'QUOTA_EXCEEDED',
      reason: 'slow down',
      scope: 'route',
      retryAfterMs: 90_000,
    });
    const { attempt } = stage.worker({ concurrency: 40 });
    const end = await attempt('fcm', key);
    expect(end?.kind === 'waits' && end.delayMs).toBeGreaterThanOrEqual(90_000);
    expect(stage.sender.sent.length).toBeLessThan(60);
    const pages = await stage.ledger.pages(key.messageId);
    expect(pages.flatMap(({ device_ids }) => device_ids as string[])).toHaveLength(200);
  });

  it('expires its messages in time', async () => {
    const { key } = await stage.pageOf(2, 30);
    stage.sender.answer = () => refused;
    const { attempt } = stage.worker();
    await attempt('fcm', key);
    stage.clock.advance(30_000);
    await attempt('fcm', key);
    expect(Object.values(await stage.ledger.states(key))).toEqual(['expired', 'expired']);
  });

  it('waits when the application has no credentials at all', async () => {
    await stage.ledger.run('DELETE FROM vendor_credentials');
    const { key } = await stage.pageOf(2);
    const { attempt, lines } = stage.worker();
    expect(await attempt('fcm', key)).toMatchObject({ kind: 'waits' });
    expect(stage.sender.sent).toEqual([]);
    expect(await stage.ledger.states(key)).toEqual({});
    expect(lines).toContainEqual(expect.objectContaining({ event: 'route.held', code: 'no_sender' }));
  });

  async function statuses(): Promise<unknown[]> {
    return (await stage.ledger.run('SELECT token_status FROM installations')).map(({ token_status }) => token_status);
  }

  it('is tried again in time, and takes new credentials up, when the clock of PostgreSQL was set back', async () => {
    const { key, devices } = await stage.pageOf(1);
    stage.sender.answer = () => refused;
    const { attempt } = stage.worker();
    await attempt('fcm', key);
    stage.clock.setBack(HOUR_MS);
    stage.clock.advance(2_000);
    stage.sender.answer = accepted;
    const next = await stage.ledger.addMessage({ devices, acceptedAt: stage.clock.now() });
    expect(await attempt('fcm', next)).toEqual({ kind: 'finished' });
    await storeCredentials(stage.database, APP_ID, stage.clock.now());
    stage.clock.setBack(HOUR_MS);
    stage.clock.advance(2_000);
    await attempt('fcm', await stage.ledger.addMessage({ devices, acceptedAt: stage.clock.now() }));
    expect(stage.sender.isClosed).toBe(true);
  });

  it('takes new credentials up within two seconds, and lets the former sender finish', async () => {
    const { key, devices } = await stage.pageOf(1);
    const { attempt } = stage.worker();
    await attempt('fcm', key);
    await storeCredentials(stage.database, APP_ID, stage.clock.now());
    stage.clock.advance(2_000);
    await attempt('fcm', await stage.ledger.addMessage({ devices, acceptedAt: stage.clock.now() }));
    expect(stage.sender.isClosed).toBe(true);
  });

  /** Messages to one device each. */
  async function messages(count: number): Promise<PageKey[]> {
    const devices = await stage.addDevices(count);
    const keys: PageKey[] = [];
    for (const id of devices)
      keys.push(await stage.ledger.addMessage({ devices: [id], acceptedAt: stage.clock.now(), lane: 'transactional' }));
    return keys;
  }

  /** The pages that may be claimed now. */
  async function due(): Promise<PageKey[]> {
    const sql = `SELECT message_id AS "messageId", id AS "pageId" FROM pages
      WHERE state = 'waiting' AND (not_before IS NULL OR not_before <= $1) ORDER BY not_before`;
    const found = await stage.ledger.run<{ messageId: string; pageId: string }>(sql, [stage.clock.now()]);
    return found.map((key) => ({ appId: APP_ID, ...key }));
  }

  const attemptDue = async ({ attempt }: TestWorker): Promise<void> => {
    const pages = await due();
    await Promise.all(pages.map((key) => attempt('fcm', { ...key, lane: 'transactional' })));
  };

  async function claims(): Promise<number> {
    const [sum] = await stage.ledger.run<{ claims: number }>('SELECT sum(fence)::integer AS claims FROM pages');
    return sum?.claims ?? NaN;
  }

  it('costs a few claims a hold and one call, however many messages wait', async () => {
    await messages(120);
    stage.sender.answer = () => refused;
    const worker = stage.worker();
    await attemptDue(worker);
    const [before, sent] = [await claims(), stage.sender.sent.length];
    for (let tens = 0; tens < 12; tens++) {
      stage.clock.advance(10_000);
      await worker.reports.publish();
      await attemptDue(worker);
    }
    expect(stage.sender.sent.length - sent).toBeLessThanOrEqual(10);
    expect((await claims()) - before).toBeLessThanOrEqual(40);
    expect(await stage.ledger.run('SELECT 1 FROM deliveries')).toEqual([]);
  });

  it('releases everything at once when its vendor takes the first message again', async () => {
    const keys = await messages(120);
    stage.sender.answer = () => refused;
    const worker = stage.worker();
    await attemptDue(worker);
    stage.sender.answer = accepted;
    stage.clock.advance(2_001);
    worker.enqueued.length = 0;
    expect(await due()).toHaveLength(1);
    await attemptDue(worker);
    await untilTrue(() => worker.enqueued.length >= keys.length - 1);
    await attemptDue(worker);
    expect(new Set(stage.sender.sent).size).toBe(keys.length);
    expect(await stage.ledger.run(`SELECT 1 FROM pages WHERE state <> 'finished'`)).toEqual([]);
  });

  it('ends messages in time that wait to be released', async () => {
    const keys = await messages(30);
    await stage.ledger.run(`UPDATE messages SET expires_at = accepted_at + interval '40 seconds'`);
    stage.sender.answer = () => refused;
    const { attempt } = stage.worker();
    const page = (key: PageKey): PageKey & { lane: 'transactional' } => ({ ...key, lane: 'transactional' });
    const ends = await Promise.all(keys.map((key) => attempt('fcm', page(key))));
    const delays = ends.map((end) => (end?.kind === 'waits' ? end.delayMs : Infinity));
    expect(Math.max(...delays)).toBeLessThanOrEqual(40_005);
    const [wakes] = await stage.ledger.run<{ wakes: number }>(
      `SELECT max(extract(epoch FROM p.wake_at - m.accepted_at))::float8 AS wakes FROM pages p
       JOIN messages m ON m.app_id = p.app_id AND m.id = p.message_id`,
    );
    expect(wakes?.wakes).toBeLessThanOrEqual(40);
    stage.clock.advance(40_000);
    await Promise.all(keys.map((key) => attempt('fcm', page(key))));
    const states = await stage.ledger.run<{ state: string }>('SELECT DISTINCT state FROM deliveries');
    expect(states).toEqual([{ state: 'expired' }]);
  });

  it('releases what it stopped when the answer to a call that was under way shows that it works', async () => {
    const { key, devices } = await stage.pageOf(2);
    stage.sender.answer = (token) => (token === 't1' ? undefined : refused);
    const { attempt } = stage.worker();
    const end = attempt('fcm', key);
    await stage.sender.untilWaiting(1);
    stage.clock.advance(2_001);
    const probe = attempt('fcm', await stage.ledger.addMessage({ devices, acceptedAt: stage.clock.now() }));
    stage.sender.answer = accepted;
    await untilTrue(async () => (await claims()) === 2);
    stage.sender.release();
    await Promise.all([end, probe]);
    await untilTrue(async () => (await due()).some(({ pageId }) => pageId === key.pageId));
  });

  it('has its messages released by a worker that never held it, when the one that did is gone', async () => {
    await messages(60);
    stage.sender.answer = () => refused;
    await attemptDue(stage.worker({ instanceId: 'killed' }));
    stage.sender.answer = accepted;
    stage.clock.advance(2_001);
    const heir = stage.worker({ instanceId: 'heir' });
    await untilTrue(async () => (await stage.ledger.run('SELECT 1 FROM vendor_troubles')).length === 1);
    await attemptDue(heir);
    await heir.reports.publish();
    await untilTrue(async () => (await due()).length === 59);
  });

  /**
   * The messages that wait for `other`, which holds the route until half a second after `worker` has found out that it works.
   */
  async function afterAnotherFoundOut(
    worker: TestWorker,
    other: TestWorker,
    keys: readonly PageKey[],
  ): Promise<number> {
    const attempt = (by: TestWorker, some: readonly PageKey[]): Promise<unknown> =>
      Promise.all(some.map((key) => by.attempt('fcm', { ...key, lane: 'transactional' })));
    stage.sender.answer = () => refused;
    await attempt(worker, keys.slice(0, keys.length / 2));
    stage.clock.advance(500);
    await attempt(other, keys.slice(keys.length / 2));
    stage.clock.advance(1_501);
    stage.sender.answer = accepted;
    await attemptDue(worker);
    await untilTrue(async () => (await due()).length === keys.length - 1);
    await attemptDue(other);
    await untilTrue(async () => {
      const sql = 'SELECT 1 FROM vendor_troubles WHERE credentials_failing_since IS NULL';
      return (await stage.ledger.run(sql)).length === 1;
    });
    return (await stage.ledger.run(`SELECT 1 FROM pages WHERE state = 'waiting'`)).length;
  }

  it('has its messages released at the end of a hold when another worker found out before that it works', async () => {
    const [first, second] = [stage.worker({ instanceId: 'first' }), stage.worker({ instanceId: 'second' })];
    const waiting = await afterAnotherFoundOut(first, second, await messages(60));
    expect(waiting).toBe(59);
    stage.clock.advance(500);
    expect(await due()).toEqual([]);
    await second.reports.publish();
    await untilTrue(async () => (await due()).length === waiting);
  });

  it('has its messages released when another worker finds out that it works just after this one has looked', async () => {
    const keys = await messages(60);
    const [first, second] = [stage.worker({ instanceId: 'first' }), stage.worker({ instanceId: 'second' })];
    const attempt = (by: TestWorker, some: readonly PageKey[]): Promise<unknown> =>
      Promise.all(some.map((key) => by.attempt('fcm', { ...key, lane: 'transactional' })));
    stage.sender.answer = () => refused;
    await attempt(first, keys.slice(0, 30));
    await untilTrue(async () => (await stage.ledger.run('SELECT 1 FROM vendor_troubles')).length === 1);
    stage.clock.advance(500);
    await attempt(second, keys.slice(30, 59));
    stage.clock.advance(1_501);
    // The second sees here that the route does not work yet.
    await attempt(second, keys.slice(59));
    stage.sender.answer = accepted;
    await attemptDue(first);
    await untilTrue(async () => (await due()).length === 59);
    await attemptDue(second);
    await untilTrue(async () => {
      const sql = 'SELECT 1 FROM vendor_troubles WHERE credentials_failing_since IS NULL';
      return (await stage.ledger.run(sql)).length === 1;
    });
    stage.clock.advance(500);
    await second.reports.publish();
    expect(await due()).toEqual([]);
    stage.clock.advance(2_000);
    await second.reports.publish();
    await untilTrue(async () => (await due()).length === 59);
    await attemptDue(second);
    expect(await stage.ledger.run(`SELECT 1 FROM pages WHERE state <> 'finished'`)).toEqual([]);
  });
});
