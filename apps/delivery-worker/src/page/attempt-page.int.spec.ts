import { MessagesRepository } from '@postrider/persistence';
import { untilTrue } from '@postrider/testing';
import { accepted } from '../testing/fake-sender';
import { APP_ID } from '../testing/ledger';
import { usePageStage } from '../testing/page-stage';

describe('attempting a page', () => {
  const stage = usePageStage();

  it('sends to every device once, records it, and finishes the page and the message', async () => {
    const { key, devices } = await stage.pageOf(500);
    const { attempt, complete } = stage.worker({ concurrency: 100 });
    expect(await attempt('fcm', key)).toEqual({ kind: 'finished' });
    await complete();
    expect(stage.sender.sent).toEqual(devices.map((_, n) => `t${n + 1}`));
    const deliveries = await stage.ledger.deliveries(key.messageId);
    expect(deliveries).toHaveLength(500);
    expect(deliveries[7]).toMatchObject({
      state: 'sent',
      rank: 2,
      vendor: 'fcm',
      vendor_message_id: 'id of t8',
      attempt: 1,
      error_code: null,
      sent_at: stage.clock.now(),
    });
    const [page] = await stage.ledger.pages(key.messageId);
    expect(page).toMatchObject({ state: 'finished', wake_at: null, leased_by: null, finished_at: stage.clock.now() });
    expect(await stage.ledger.message(key.messageId)).toMatchObject({
      status: 'done',
      wake_at: null,
      done_at: stage.clock.now(),
    });
    expect(await attempt('fcm', key)).toBeNull();
    expect(stage.sender.sent).toHaveLength(500);
  });

  it('says what is asked of the vendor: the end of the life, and one id for every attempt', async () => {
    const { key } = await stage.pageOf(1, 100);
    stage.clock.advance(40_500);
    await stage.worker().attempt('fcm', key);
    expect(stage.sender.requests[0]).toMatchObject({
      token: 't1',
      expiresAt: new Date(stage.clock.now().getTime() + 59_500),
    });
    expect(stage.sender.requests[0]?.deliveryId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5/);
    expect(stage.sender.requests[0]?.deliveryId).toBe(stage.sender.requests[0]?.deliveryId);
  });

  it('tells of a page in one line and in the metrics', async () => {
    const { key } = await stage.pageOf(3);
    stage.sender.answer = (token) =>
      token === 't2' ? { kind: 'request_invalid', code: 'INVALID_ARGUMENT', reason: 'bad\0 payload' } : accepted(token);
    const { attempt, lines, metrics } = stage.worker();
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
    expect((await stage.ledger.deliveries(key.messageId))[1]).toMatchObject({
      error_code: 'INVALID_ARGUMENT',
      reason: 'bad payload',
    });
  });

  it('expires what is left when the message’s time is up in the middle of a page', async () => {
    const { key, devices } = await stage.pageOf(3, 10);
    stage.sender.answer = (token) => {
      stage.clock.advance(6_000);
      return accepted(token);
    };
    expect(await stage.worker().attempt('fcm', key)).toEqual({ kind: 'finished' });
    expect(stage.sender.sent.length).toBeLessThan(3);
    const states = Object.values(await stage.ledger.states(key));
    expect(states).toHaveLength(devices.length);
    expect(states.filter((state) => state === 'expired')).toHaveLength(3 - stage.sender.sent.length);
  });

  it('sends a now-or-never message right away, and never later', async () => {
    const acceptedAt = stage.clock.now();
    const { key } = await stage.pageOf(1, 0);
    await stage.worker().attempt('fcm', key);
    const [request] = stage.sender.requests;
    expect(request?.expiresAt).toEqual(acceptedAt);
    expect(request?.lastCallAt).toBe(acceptedAt.getTime() + 10_000);
    const late = await stage.ledger.addMessage({ devices: ['1'], acceptedAt: stage.clock.now(), ttlSeconds: 0 });
    stage.clock.advance(11_000);
    await stage.worker().attempt('fcm', late);
    expect(stage.sender.sent).toHaveLength(1);
    expect(await stage.ledger.states(late)).toEqual({ 1: 'expired' });
  });

  it('stops a running page when its message is cancelled', async () => {
    const { key } = await stage.pageOf(6);
    stage.sender.answer = () => undefined;
    const { attempt, supervisor } = stage.worker({ concurrency: 5 });
    const end = attempt('fcm', key);
    await stage.sender.untilWaiting(4);
    await stage.ledger.run(`UPDATE messages SET status = 'cancelled', cancelled_at = now()`);
    await supervisor.watch();
    stage.sender.release();
    expect(await end).toEqual({ kind: 'finished' });
    const states = Object.values(await stage.ledger.states(key));
    expect(states.filter((state) => state === 'sent')).toHaveLength(4);
    expect(states.filter((state) => state === 'cancelled')).toHaveLength(2);
  });

  it('starts no call while it cannot ask which messages were cancelled', async () => {
    const { key } = await stage.pageOf(6);
    stage.sender.answer = () => undefined;
    const { attempt, supervisor } = stage.worker({ concurrency: 5 });
    const asked = jest
      .spyOn(MessagesRepository.prototype, 'findCancelled')
      .mockRejectedValue(new Error('no connection'));
    const end = attempt('fcm', key);
    await stage.sender.untilWaiting(4);
    stage.clock.advance(1_500);
    stage.sender.release();
    await untilTrue(async () => (await stage.ledger.deliveries(key.messageId)).length === 4);
    await supervisor.watch();
    expect(stage.sender.sent).toHaveLength(4);

    await stage.ledger.run(`UPDATE messages SET status = 'cancelled', cancelled_at = now()`);
    asked.mockRestore();
    await supervisor.watch();
    expect(await end).toEqual({ kind: 'finished' });
    expect(stage.sender.sent).toHaveLength(4);
  });

  it('sends nothing of a message that was cancelled before', async () => {
    const { key, devices } = await stage.pageOf(2);
    await stage.ledger.run(`UPDATE messages SET status = 'cancelled'`);
    await stage.worker().attempt('fcm', key);
    expect(stage.sender.sent).toEqual([]);
    expect(await stage.ledger.states(key)).toEqual({ [devices[0]!]: 'cancelled', [devices[1]!]: 'cancelled' });
  });

  it('skips devices that are gone, in other hands, or without a token by now', async () => {
    const { key, devices } = await stage.pageOf(5);
    const [one, two, three, four] = devices;
    await stage.ledger.run(`DELETE FROM installations WHERE id = $1`, [one]);
    await stage.ledger.run(`UPDATE installations SET user_since = now() + interval '1 minute' WHERE id = $1`, [two]);
    await stage.ledger.run(`UPDATE installations SET token = NULL WHERE id = $1`, [three]);
    await stage.ledger.run(`UPDATE installations SET token_status = 'INVALID' WHERE id = $1`, [four]);
    await stage.worker().attempt('fcm', key);
    expect(stage.sender.sent).toEqual(['t5']);
    const deliveries = await stage.ledger.deliveries(key.messageId);
    expect(deliveries.map(({ state, error_code }) => [state, error_code])).toEqual([
      ['skipped', 'installation_removed'],
      ['skipped', 'user_changed'],
      ['skipped', 'token_removed'],
      ['skipped', 'token_removed'],
      ['sent', null],
    ]);
  });

  it('sends to a device that nobody had before, though a clock that was put back has it come after the message', async () => {
    const { key, devices } = await stage.pageOf(1);
    await stage.ledger.run(
      `UPDATE installations SET user_since = later.at, created_at = later.at
       FROM (SELECT now() + interval '1 minute' AS at) later WHERE id = $1`,
      [devices[0]],
    );
    await stage.worker().attempt('fcm', key);
    expect(stage.sender.sent).toEqual(['t1']);
  });

  it('skips devices that have not proved their user, where the application has begun to require it', async () => {
    const { key, devices } = await stage.pageOf(4);
    const [never, unknown, proved] = devices;
    for (const [device, proof] of [
      [never, 0],
      [unknown, 1],
      [proved, 2],
    ])
      await stage.ledger.run(`UPDATE installations SET user_proof = $2 WHERE id = $1`, [device, proof]);
    await stage.ledger.run(`UPDATE installations SET user_proof = 2 WHERE id = $1`, [devices[3]]);
    await stage.ledger.run(`UPDATE applications SET require_user_hash = true, user_hash_required_at = now()`);
    await stage.worker().attempt('fcm', key);
    expect(stage.sender.sent).toEqual(['t3', 't4']);
    const deliveries = await stage.ledger.deliveries(key.messageId);
    expect(deliveries.map(({ state, error_code }) => [state, error_code])).toEqual([
      ['skipped', 'user_not_proved'],
      ['skipped', 'user_not_proved'],
      ['sent', null],
      ['sent', null],
    ]);
    await stage.ledger.run(`UPDATE applications SET require_user_hash = false, user_hash_required_at = NULL`);
  });

  it('passes over a device that changes hands in the middle of a page, but not one that it claimed as its new owner’s', async () => {
    const { key, devices } = await stage.pageOf(6);
    await stage.ledger.run(`INSERT INTO hand_overs (app_id, device_id, user_id) VALUES ($1, $2, 'user6')`, [
      APP_ID,
      devices[5],
    ]);
    stage.sender.answer = () => undefined;
    const { attempt, supervisor } = stage.worker({ concurrency: 5 });
    const end = attempt('fcm', key);
    await stage.sender.untilWaiting(4);
    await stage.ledger.run(`UPDATE installations SET user_id = 'heir' WHERE id = $1`, [devices[4]]);
    await supervisor.watch();
    stage.sender.answer = accepted;
    stage.sender.release();
    expect(await end).toEqual({ kind: 'finished' });
    expect(stage.sender.sent).toEqual(['t1', 't2', 't3', 't4', 't6']);
    expect((await stage.ledger.deliveries(key.messageId))[4]).toMatchObject({
      state: 'skipped',
      error_code: 'user_changed',
    });
  });

  it('sends what names the present owner, whenever it was accepted, and nothing that names a former one', async () => {
    const { key, devices } = await stage.pageOf(2);
    await stage.ledger.run(
      `UPDATE installations SET user_id = 'heir', user_since = now() + interval '1 minute' WHERE id = $1`,
      [devices[0]],
    );
    await stage.ledger.run(
      `UPDATE installations SET user_id = 'other', user_since = now() - interval '1 minute' WHERE id = $1`,
      [devices[1]],
    );
    await stage.ledger.run(`UPDATE messages SET user_ids = '{heir,user2}' WHERE id = $1`, [key.messageId]);
    await stage.worker().attempt('fcm', key);
    expect(stage.sender.sent).toEqual(['t1']);
    expect(await stage.ledger.states(key)).toEqual({ [devices[0]!]: 'sent', [devices[1]!]: 'skipped' });
  });

  it('has what waits for the vendor wait for the connection too, of devices that use one, and skips who got it there', async () => {
    const { key, devices } = await stage.pageOf(3);
    await stage.ledger.run(`UPDATE installations SET realtime = true WHERE id = ANY ($1)`, [devices.slice(1)]);
    stage.sender.answer = () => ({ kind: 'retryable', code: 'UNAVAILABLE', reason: 'down', retryAfterMs: null });
    await stage.worker().attempt('fcm', key);
    const waiting = await stage.ledger.deliveries(key.messageId);
    expect(waiting.map(({ device_id, state, in_inbox }) => [device_id, state, in_inbox])).toEqual(
      devices.slice(1).map((id) => [id, 'pending', true]),
    );
    await stage.ledger.run(`UPDATE deliveries SET state = 'delivered', rank = 3 WHERE device_id = $1`, [devices[1]]);
    // Retry delays have jitter, so the devices that wait may be on pages of their own.
    const retries = (await stage.ledger.pages(key.messageId)).filter(({ state }) => state === 'waiting');
    stage.clock.advance(600_000);
    stage.sender.answer = accepted;
    stage.sender.sent.length = 0;
    for (const { id } of retries) await stage.worker().attempt('fcm', { ...key, pageId: id as string });
    expect(stage.sender.sent.sort()).toEqual(['t1', 't3']);
    expect(Object.values(await stage.ledger.states(key))).toEqual(['sent', 'delivered', 'sent']);
  });

  it('finishes a page on which nobody can be sent to any more', async () => {
    const { key } = await stage.pageOf(2);
    await stage.ledger.run(`DELETE FROM installations`);
    expect(await stage.worker().attempt('fcm', key)).toEqual({ kind: 'finished' });
    expect(Object.values(await stage.ledger.states(key))).toEqual(['skipped', 'skipped']);
  });

  it('lets named users go ahead of a campaign', async () => {
    const { key, devices } = await stage.pageOf(20);
    const urgent = await stage.ledger.addMessage({
      devices: devices.slice(0, 1),
      acceptedAt: stage.clock.now(),
      lane: 'transactional',
    });
    stage.sender.answer = () => undefined;
    const { attempt, supervisor } = stage.worker({ concurrency: 8 });
    const work = jest.spyOn(supervisor, 'run');
    const campaign = attempt('fcm', key);
    await stage.sender.untilWaiting(6);
    const named = attempt('fcm', urgent);
    await untilTrue(() => work.mock.calls.length === 2);
    stage.sender.answer = accepted;
    stage.sender.release();
    await Promise.all([campaign, named]);
    expect(stage.sender.sent[6]).toBe('t1');
  });

  it('of a named user whose vendor does not answer makes room for others, goes on, and is sent once', async () => {
    const { key } = await stage.pageOf(1);
    const page = { ...key, lane: 'transactional' as const };
    stage.sender.answer = () => undefined;
    const { attempt, complete } = stage.worker({ slowAfterMs: 0 });
    expect(await attempt('fcm', page)).toEqual({ kind: 'waits', delayMs: 1_000 });
    await stage.sender.untilWaiting(1);
    expect(await attempt('fcm', page)).toEqual({ kind: 'waits', delayMs: 1_000 });
    stage.sender.release();
    await untilTrue(async () => (await stage.ledger.pages(key.messageId))[0]?.state === 'finished');
    await complete();
    expect(await stage.worker().attempt('fcm', page)).toBeNull();
    expect(stage.sender.sent).toEqual(['t1']);
    expect(Object.values(await stage.ledger.states(key))).toEqual(['sent']);
  });
});
