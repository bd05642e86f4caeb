import { HOUR_MS, type SendOutcome } from '@postrider/domain';
import { accepted } from '../testing/fake-sender';
import { APP_ID } from '../testing/ledger';
import { usePageStage } from '../testing/page-stage';
import { storeCredentials } from '../testing/test-worker';

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
});
