import { MessagesRepository, RoutesRepository, type VendorHealth } from '@postrider/persistence';
import type { SmsOutcome } from '@postrider/vendors';
import { SmsRoute } from './sms-route';
import { taken } from './testing/fake-sms-sender';
import { APP_ID } from './testing/fallback-ledger';
import { ADA, BOB, useFallbackStage } from './testing/fallback-stage';

const SECOND = 1_000;

describe('fallback SMS', () => {
  const stage = useFallbackStage();

  it('goes to a user without any device, at its time and once', async () => {
    const key = await stage.ledger.addMessage({ users: [ADA], acceptedAt: stage.now() });
    await stage.pass(59);
    expect([stage.sender.numbers, await stage.ledger.states(key)]).toEqual([[], { [ADA]: 'waiting' }]);
    await stage.pass(1);
    await stage.pass(1);
    await stage.pass(86_400);
    expect(stage.sender.requests).toEqual([
      expect.objectContaining({ to: ADA, text: 'Your code is 42', validitySeconds: 7 * 86_400 - 60 }),
    ]);
    expect(await stage.ledger.fallbacks(key.messageId)).toEqual([
      expect.objectContaining({
        state: 'sent',
        phone: ADA,
        provider: 'http',
        provider_message_id: `id of ${ADA}`,
        attempt: 1,
      }),
    ]);
  });

  it('goes at the delay of each message, from none to a day', async () => {
    const delays = [0, 1, 60, 3_600, 86_399, 86_400];
    const started = stage.now().getTime();
    const wentAt: Record<string, number> = {};
    stage.sender.answer = (request) => {
      wentAt[request.text] = (stage.now().getTime() - started) / SECOND;
      return taken(request);
    };
    for (const delaySeconds of delays) {
      await stage.ledger.addMessage({
        users: [ADA],
        acceptedAt: stage.now(),
        delaySeconds,
        content: `after ${delaySeconds}`,
      });
    }
    await stage.worker.turn();
    for (const moment of [1, 59, 60, 3_599, 3_600, 86_398, 86_399, 86_400, 90_000]) {
      await stage.pass(moment - (stage.now().getTime() - started) / SECOND);
    }
    expect(wentAt).toEqual(Object.fromEntries(delays.map((delay) => [`after ${delay}`, delay])));
  });

  it('reads the number of the user, then of the device they used last, then their id', async () => {
    await stage.ledger.run(`UPDATE applications SET default_region = 'IR'`);
    await stage.ledger.addUser('ada', { phone: '0912 000 0001' });
    await stage.ledger.addDevice('ada', { phone: '+989120000009' });
    await stage.ledger.addUser('bob', { phone: null });
    await stage.ledger.addDevice('bob', { phone: '+989120000002' });
    const users = ['ada', 'bob', '09120000003', 'nobody'];
    const key = await stage.ledger.addMessage({ users, acceptedAt: stage.now() });
    await stage.pass(60);
    expect(stage.sender.numbers.sort()).toEqual(['+989120000001', '+989120000002', '+989120000003']);
    expect(await stage.ledger.states(key)).toEqual({
      ada: 'sent',
      bob: 'sent',
      '09120000003': 'sent',
      nobody: 'no_phone',
    });
  });

  it('waits for a provider, and expires when none comes', async () => {
    await stage.ledger.run(`DELETE FROM vendor_credentials`);
    const key = await stage.ledger.addMessage({ users: [ADA, BOB], acceptedAt: stage.now(), ttlSeconds: 600 });
    await stage.pass(60);
    expect(await stage.ledger.fallbacks(key.messageId)).toEqual([
      expect.objectContaining({ state: 'waiting', error_code: 'no_provider' }),
      expect.objectContaining({ state: 'waiting', reason: 'No SMS provider is set up' }),
    ]);
    for (let minute = 0; minute < 9; minute++) await stage.pass(60);
    expect(await stage.ledger.states(key)).toEqual({ [ADA]: 'expired', [BOB]: 'expired' });
    await stage.storeCredentials();
    await stage.pass(60);
    expect(stage.sender.numbers).toEqual([]);
  });

  it('is never sent after the message expired, not even a second', async () => {
    const late = await stage.ledger.addMessage({ users: [ADA], acceptedAt: stage.now(), ttlSeconds: 60 });
    const early = await stage.ledger.addMessage({ users: [BOB], acceptedAt: stage.now(), ttlSeconds: 61 });
    await stage.pass(60);
    expect([await stage.ledger.states(late), await stage.ledger.states(early)]).toEqual([
      { [ADA]: 'expired' },
      { [BOB]: 'sent' },
    ]);
    expect(stage.sender.requests).toEqual([expect.objectContaining({ to: BOB, validitySeconds: 1 })]);
  });

  it('is not written when its message expires between the claim and the call', async () => {
    const key = await stage.ledger.addMessage({ users: [ADA], acceptedAt: stage.now(), ttlSeconds: 61 });
    stage.clock.advance(60 * SECOND);
    const { toSend } = await stage.worker.claims.claim(key, await stage.account(), 10);
    const begun = await stage.worker.attempts.begin(key, toSend);
    stage.clock.advance(SECOND);
    const route = new SmsRoute(APP_ID, stage.clock, 1);
    for (const sms of begun) await stage.worker.attempts.attempt(key, sms, stage.sender, route);
    expect([begun.length, stage.sender.requests]).toEqual([1, []]);
    stage.clock.advance(4 * SECOND);
    expect(route.calls.failingAt(stage.now().getTime())).toBeNull();
    await stage.worker.turn();
    expect(await stage.ledger.states(key)).toEqual({ [ADA]: 'expired' });
  });

  it('is not written when its message expires while the connection is made', async () => {
    const key = await stage.ledger.addMessage({ users: [ADA], acceptedAt: stage.now(), ttlSeconds: 61 });
    let mayWrite: boolean | undefined;
    stage.sender.answer = (request) => {
      stage.clock.advance(SECOND);
      mayWrite = request.mayWrite?.();
      return { kind: 'retryable', code: 'WITHDRAWN', reason: 'It is not to be sent any more', retryAfterMs: null };
    };
    await stage.pass(60);
    expect(mayWrite).toBe(false);
    await stage.worker.turn();
    expect([stage.sender.numbers, await stage.ledger.states(key)]).toEqual([[ADA], { [ADA]: 'expired' }]);
  });

  it('is not sent when the message was cancelled', async () => {
    const key = await stage.ledger.addMessage({ users: [ADA], acceptedAt: stage.now() });
    expect(
      await new MessagesRepository(stage.database.dataSource).cancel(
        stage.database.dataSource,
        { appId: APP_ID, messageId: key.messageId },
        stage.now(),
      ),
    ).toBe(true);
    await stage.pass(60);
    expect([stage.sender.numbers, await stage.ledger.states(key)]).toEqual([[], { [ADA]: 'cancelled' }]);
  });

  it('counts what it did', async () => {
    await stage.ledger.addMessage({ users: [ADA, BOB, 'nobody'], acceptedAt: stage.now() });
    await stage.pass(60);
    const text = await stage.worker.metrics.metrics();
    expect(text).toContain('postrider_fallbacks_total{state="sent",provider="http"} 2');
    expect(text).toContain('postrider_fallbacks_total{state="no_phone",provider=""} 1');
    expect(JSON.stringify(stage.worker.lines)).not.toContain(ADA);
  });

  it('says since when and why nothing leaves, before any hold and while calls are under way', async () => {
    const health = async (): Promise<VendorHealth | undefined> => {
      await stage.worker.reports.publish();
      const all = await new RoutesRepository(stage.database.dataSource).readHealth(APP_ID, stage.now());
      return all.find(({ vendor }) => vendor === 'sms');
    };
    await stage.ledger.addMessage({ users: [ADA], acceptedAt: stage.now() });
    stage.sender.answer = () => ({ kind: 'retryable', code: 'HTTP_502', reason: 'Bad gateway', retryAfterMs: null });
    await stage.pass(60);
    const since = stage.now();
    expect(await health()).toMatchObject({ state: 'ok' });
    stage.clock.advance(3 * SECOND);
    expect(await health()).toMatchObject({
      state: 'failing',
      since,
      lastError: { kind: 'retryable', code: 'HTTP_502', reason: 'Bad gateway', at: since },
      workers: [{ state: 'closed', failingSince: since }],
    });
    stage.sender.answer = taken;
    await stage.pass(600);
    expect(await health()).toMatchObject({ state: 'ok', workers: [{ failingSince: null }] });

    let release: (outcome: SmsOutcome) => void = () => undefined;
    const called = new Promise<void>((resolve) => {
      stage.sender.answer = () => {
        resolve();
        return new Promise((answered) => (release = answered));
      };
    });
    await stage.ledger.addMessage({ users: [BOB], acceptedAt: stage.now() });
    const turn = stage.pass(60);
    await called;
    const silentSince = stage.now();
    stage.clock.advance(5 * SECOND);
    expect(await health()).toMatchObject({ state: 'failing', since: silentSince, lastError: { code: 'NO_ANSWER' } });
    release({ kind: 'accepted', vendorMessageId: null });
    await turn;
    expect(await health()).toMatchObject({ state: 'ok' });
  });
});
