import type { DeviceId, SendOutcome } from '@postrider/domain';
import { ReceiptRecorder, ReceiptsRepository, rows } from '@postrider/persistence';
import { accepted } from '../../testing/fake-sender';
import { usePageStage } from '../../testing/page-stage';

describe('what can be tried again', () => {
  const stage = usePageStage();

  const busy = (retryAfterMs: number | null): SendOutcome => ({
    kind: 'throttled',
    code: 'QUOTA_EXCEEDED',
    reason: 'slow down',
    scope: 'token',
    retryAfterMs,
  });

  it('goes to a later page, not before the vendor’s Retry-After', async () => {
    const { key, devices } = await stage.pageOf(3);
    stage.sender.answer = (token, times) => (token === 't2' && times === 1 ? busy(300_000) : accepted(token));
    const { attempt, enqueued, complete } = stage.worker();
    await attempt('fcm', key);
    await complete();
    const [first, retry] = await stage.ledger.pages(key.messageId);
    expect(first).toMatchObject({ state: 'finished' });
    expect(retry).toMatchObject({ state: 'waiting', attempt: 2, device_ids: [devices[1]], lane: 'campaign' });
    const delayMs = (retry?.not_before as Date).getTime() - stage.clock.now().getTime();
    expect(delayMs).toBeGreaterThanOrEqual(300_000);
    expect(delayMs).toBeLessThanOrEqual(360_000);
    expect(retry?.wake_at).toEqual(retry?.not_before);
    expect(enqueued).toEqual([{ pageId: retry?.id, delayMs: delayMs + 5 }]);
    expect(await stage.ledger.message(key.messageId)).toMatchObject({ status: 'accepted' });

    const again = { ...key, pageId: retry?.id as string };
    expect(await attempt('fcm', again)).toBeNull();
    stage.clock.advance(delayMs);
    expect(await attempt('fcm', again)).toEqual({ kind: 'finished' });
    await complete();
    expect((await stage.ledger.deliveries(key.messageId)).map(({ state, attempt }) => [state, attempt])).toEqual([
      ['sent', 1],
      ['sent', 2],
      ['sent', 1],
    ]);
    expect(await stage.ledger.message(key.messageId)).toMatchObject({ status: 'done' });
  });

  it('expires instead when the vendor wants to be left alone for longer than the message lives', async () => {
    const { key, devices } = await stage.pageOf(1, 200);
    stage.sender.answer = () => busy(300_000);
    await stage.worker().attempt('fcm', key);
    expect(await stage.ledger.states(key)).toEqual({ [devices[0]!]: 'expired' });
    expect(await stage.ledger.pages(key.messageId)).toHaveLength(1);
  });

  it('expires at once when its message’s time is up while it waits', async () => {
    const { key, devices } = await stage.pageOf(1, 400);
    stage.sender.answer = () => busy(300_000);
    const { attempt } = stage.worker();
    await attempt('fcm', key);
    const [, retry] = await stage.ledger.pages(key.messageId);
    stage.clock.advance(400_000);
    await attempt('fcm', { ...key, pageId: retry?.id as string });
    expect(stage.sender.sent).toHaveLength(1);
    expect(await stage.ledger.states(key)).toEqual({ [devices[0]!]: 'expired' });
  });

  it('is not sent again to a device that shows it meanwhile, and what it says confirms the fallback', async () => {
    const { key, devices } = await stage.pageOf(2);
    const [seen, other] = devices as [DeviceId, DeviceId];
    await rows(
      stage.database.dataSource,
      `INSERT INTO fallbacks (app_id, message_id, user_id, policy, due_at, wake_at, created_at, updated_at)
       SELECT app_id, $2, user_id, 'SHOWN', $3, $3, $3, $3 FROM installations WHERE app_id = $1 AND id = ANY ($4::bigint[])`,
      [key.appId, key.messageId, stage.clock.now(), devices],
    );
    stage.sender.answer = (token, times) =>
      times === 1 ? { kind: 'ambiguous', code: 'LOST', reason: 'no answer within 10 s' } : accepted(token);
    const { attempt, complete } = stage.worker();
    await attempt('fcm', key);
    const [, ...retries] = await stage.ledger.pages(key.messageId);
    expect(retries.flatMap(({ device_ids: ids }) => ids as string[]).sort()).toEqual(devices);
    for (const retry of retries) expect(retry).toMatchObject({ state: 'waiting', attempt: 2, fence: 0 });

    const recorder = new ReceiptRecorder(new ReceiptsRepository(stage.database.dataSource), stage.clock);
    await recorder.record(key.appId, seen, [{ messageId: key.messageId, kind: 'shown', at: stage.clock.now() }]);
    expect((await stage.ledger.states(key))[seen]).toBe('shown');

    stage.clock.advance(60_000);
    for (const { id } of retries) await attempt('fcm', { ...key, pageId: id as string });
    await complete();
    expect(stage.sender.sent).toEqual(['t1', 't2', 't2']);
    expect(await stage.ledger.states(key)).toEqual({ [seen]: 'shown', [other]: 'sent' });
    expect(await stage.ledger.message(key.messageId)).toMatchObject({ status: 'done' });
    const fallbacks = await rows<{ state: string }>(
      stage.database.dataSource,
      `SELECT f.state FROM fallbacks f JOIN installations i ON i.app_id = f.app_id AND i.user_id = f.user_id
       WHERE f.message_id = $1 ORDER BY i.id`,
      [key.messageId],
    );
    expect(fallbacks.map(({ state }) => state)).toEqual(['confirmed', 'waiting']);
  });

  it('is repeated once when no answer came, and fails the second time', async () => {
    const { key, devices } = await stage.pageOf(1);
    stage.sender.answer = () => ({ kind: 'ambiguous', code: 'TIMEOUT', reason: 'no answer within 10 s' });
    const { attempt } = stage.worker();
    await attempt('fcm', key);
    const [, retry] = await stage.ledger.pages(key.messageId);
    expect(retry).toMatchObject({ is_unanswered: true });
    stage.clock.advance(60_000);
    await attempt('fcm', { ...key, pageId: retry?.id as string });
    expect(stage.sender.sent).toHaveLength(2);
    expect(stage.sender.requests[0]?.deliveryId).toBe(stage.sender.requests[1]?.deliveryId);
    expect(await stage.ledger.states(key)).toEqual({ [devices[0]!]: 'failed' });
    expect(await stage.ledger.pages(key.messageId)).toHaveLength(2);
  });
});
