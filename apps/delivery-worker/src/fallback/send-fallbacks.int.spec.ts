import { findDueFallbacks, inTransaction, lockDueFallbacks, cancelMessage } from '@postrider/persistence';
import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import type { SmsOutcome } from '@postrider/vendors';
import { TestClock } from '../testing/test-worker';
import { FakeSmsSender, taken } from './testing/fake-sms-sender';
import { APP_ID, FallbackLedger } from './testing/fallback-ledger';
import {
  ANY_CREDENTIALS,
  type FallbackWorker,
  startFallbackWorker,
  storeSmsCredentials,
} from './testing/fallback-worker';

const SECOND = 1_000;
const ADA = '+14155550001';
const BOB = '+14155550002';

describe('fallback SMS', () => {
  let database: ThrowAwayDatabase;
  let ledger: FallbackLedger;
  let clock: TestClock;
  let sender: FakeSmsSender;
  let worker: FallbackWorker;
  const now = (): Date => clock.now();
  const start = (): FallbackWorker => startFallbackWorker(database.dataSource, clock, { makeSender: () => sender });
  const pass = async (seconds: number): Promise<void> => {
    clock.advance(seconds * SECOND);
    await worker.turn();
  };

  beforeEach(async () => {
    database = await createThrowAwayDatabase(10);
    ledger = new FallbackLedger(database);
    clock = new TestClock();
    sender = new FakeSmsSender();
    worker = start();
    await ledger.addApplication();
    await storeSmsCredentials(database.dataSource, APP_ID, ANY_CREDENTIALS, now());
  });
  afterEach(() => database.drop());

  it('goes to a user without any device, at its time and once', async () => {
    const key = await ledger.addMessage({ users: [ADA], acceptedAt: now() });
    await pass(59);
    expect([sender.numbers, await ledger.states(key)]).toEqual([[], { [ADA]: 'waiting' }]);
    await pass(1);
    await pass(1);
    await pass(86_400);
    expect(sender.requests).toEqual([
      expect.objectContaining({ to: ADA, text: 'Your code is 42', validitySeconds: 7 * 86_400 - 60 }),
    ]);
    expect(await ledger.fallbacks(key.messageId)).toEqual([
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
    const started = now().getTime();
    const wentAt: Record<string, number> = {};
    sender.answer = (request) => {
      wentAt[request.text] = (now().getTime() - started) / SECOND;
      return taken(request);
    };
    for (const delaySeconds of delays) {
      await ledger.addMessage({ users: [ADA], acceptedAt: now(), delaySeconds, content: `after ${delaySeconds}` });
    }
    await worker.turn();
    for (const moment of [1, 59, 60, 3_599, 3_600, 86_398, 86_399, 86_400, 90_000]) {
      await pass(moment - (now().getTime() - started) / SECOND);
    }
    expect(wentAt).toEqual(Object.fromEntries(delays.map((delay) => [`after ${delay}`, delay])));
  });

  it('reads the number of the user, then of the device he used last, then his id', async () => {
    await ledger.run(`UPDATE applications SET default_region = 'IR'`);
    await ledger.addUser('ada', { phone: '0912 000 0001' });
    await ledger.addDevice('ada', { phone: '+989120000009' });
    await ledger.addUser('bob', { phone: null });
    await ledger.addDevice('bob', { phone: '+989120000002' });
    const users = ['ada', 'bob', '09120000003', 'nobody'];
    const key = await ledger.addMessage({ users, acceptedAt: now() });
    await pass(60);
    expect(sender.numbers.sort()).toEqual(['+989120000001', '+989120000002', '+989120000003']);
    expect(await ledger.states(key)).toEqual({ ada: 'sent', bob: 'sent', '09120000003': 'sent', nobody: 'no_phone' });
  });

  describe('is not needed', () => {
    it.each(['delivered', 'shown', 'opened', 'dismissed'] as const)('when a device has it %s', async (state) => {
      const device = await ledger.addDevice(ADA);
      const key = await ledger.addMessage({ users: [ADA, BOB], acceptedAt: now() });
      await ledger.addDelivery(key, device);
      await ledger.report(key, device, state, now());
      expect(await ledger.states(key)).toEqual({ [ADA]: 'confirmed', [BOB]: 'waiting' });
      await pass(60);
      expect(sender.numbers).toEqual([BOB]);
    });

    it('when the connection has acknowledged it without telling the fallback', async () => {
      const device = await ledger.addDevice(ADA);
      const key = await ledger.addMessage({ users: [ADA], acceptedAt: now() });
      await ledger.addDelivery(key, device, 'delivered');
      await pass(60);
      expect([sender.numbers, await ledger.states(key)]).toEqual([[], { [ADA]: 'confirmed' }]);
    });

    it('when he has read it and then signed out on that device', async () => {
      const device = await ledger.addDevice(ADA);
      const key = await ledger.addMessage({ users: [ADA], acceptedAt: now() });
      await ledger.addDelivery(key, device);
      await ledger.report(key, device, 'opened', now());
      await ledger.run(`UPDATE installations SET user_id = 'someone else'`);
      await pass(60);
      expect([sender.numbers, await ledger.states(key)]).toEqual([[], { [ADA]: 'confirmed' }]);
    });
  });

  it('is needed although the vendor took the push', async () => {
    const key = await ledger.addMessage({ users: [ADA], acceptedAt: now() });
    await ledger.addDelivery(key, await ledger.addDevice(ADA), 'sent');
    await pass(60);
    expect(sender.numbers).toEqual([ADA]);
  });

  it('is needed until the notification was shown, if it is to be shown', async () => {
    const [ada, bob] = [await ledger.addDevice(ADA), await ledger.addDevice(BOB)];
    const key = await ledger.addMessage({ users: [ADA, BOB], acceptedAt: now(), policy: 'NOTIFICATION_SHOWN' });
    for (const device of [ada, bob]) await ledger.addDelivery(key, device);
    await ledger.report(key, ada, 'delivered', now());
    await ledger.report(key, bob, 'shown', now());
    await pass(60);
    expect(sender.numbers).toEqual([ADA]);
    expect(await ledger.states(key)).toEqual({ [ADA]: 'sent', [BOB]: 'confirmed' });
  });

  it('of another device does not count as his confirmation', async () => {
    const key = await ledger.addMessage({ users: [ADA], acceptedAt: now() });
    const stranger = await ledger.addDevice(BOB);
    await ledger.addDelivery(key, stranger, 'opened');
    await pass(60);
    expect(sender.numbers).toEqual([ADA]);
  });

  describe('and a receipt at the same moment', () => {
    it('that came while it was claimed, but before the claim was made: no SMS', async () => {
      const device = await ledger.addDevice(ADA);
      const key = await ledger.addMessage({ users: [ADA], acceptedAt: now() });
      await ledger.addDelivery(key, device);
      clock.advance(60 * SECOND);
      await inTransaction(database.dataSource, async (executor) => {
        await lockDueFallbacks(executor, key, now(), 10);
        await ledger.report(key, device, 'delivered', now());
      });
      expect(await ledger.states(key)).toEqual({ [ADA]: 'waiting' });
      await worker.turn();
      expect([sender.numbers, await ledger.states(key)]).toEqual([[], { [ADA]: 'confirmed' }]);
    });

    it('that came after the claim: one SMS, and never `confirmed` as well', async () => {
      const device = await ledger.addDevice(ADA);
      const key = await ledger.addMessage({ users: [ADA], acceptedAt: now() });
      await ledger.addDelivery(key, device);
      sender.answer = async (request) => {
        await ledger.report(key, device, 'opened', now());
        return taken(request);
      };
      await pass(60);
      expect([sender.numbers, await ledger.states(key)]).toEqual([[ADA], { [ADA]: 'sent' }]);
    });

    it('is one or the other for each of many users', async () => {
      const users = Array.from({ length: 60 }, (_, n) => `+1415555${String(1_000 + n)}`);
      const devices = await Promise.all(users.map((user) => ledger.addDevice(user)));
      const key = await ledger.addMessage({ users, acceptedAt: now() });
      for (const device of devices) await ledger.addDelivery(key, device);
      clock.advance(60 * SECOND);
      await Promise.all([worker.turn(), ...devices.map((device) => ledger.report(key, device, 'delivered', now()))]);
      await worker.turn();
      const states = await ledger.states(key);
      const confirmed = users.filter((user) => states[user] === 'confirmed');
      expect(users.filter((user) => states[user] === 'sent').sort()).toEqual([...sender.numbers].sort());
      expect(confirmed.length + sender.numbers.length).toBe(users.length);
    });
  });

  it('goes once under three workers and jobs that come twice', async () => {
    const users = Array.from({ length: 200 }, (_, n) => `+1415555${String(1_000 + n)}`);
    const key = await ledger.addMessage({ users, acceptedAt: now() });
    clock.advance(60 * SECOND);
    const workers = [worker, start(), start()];
    const never = new AbortController().signal;
    await Promise.all([...workers, ...workers].map(({ fallbacks }) => fallbacks.send(key, never)));
    // One that finds its neighbours' rows locked may stop early; the sweeper wakes somebody for what is left.
    while ((await findDueFallbacks(database.dataSource, now(), 1)).length > 0) await worker.turn();
    expect(sender.numbers).toHaveLength(200);
    expect(new Set(sender.numbers)).toEqual(new Set(users));
    expect(new Set(Object.values(await ledger.states(key)))).toEqual(new Set(['sent']));
  });

  it('never has more calls under way than the provider is given', async () => {
    const users = Array.from({ length: 100 }, (_, n) => `+1415555${String(1_000 + n)}`);
    const keys = [
      await ledger.addMessage({ users, acceptedAt: now() }),
      await ledger.addMessage({ users, acceptedAt: now() }),
    ];
    let [underWay, most] = [0, 0];
    sender.answer = async (request) => {
      most = Math.max(most, ++underWay);
      await new Promise((next) => setImmediate(next));
      underWay--;
      return taken(request);
    };
    clock.advance(60 * SECOND);
    const never = new AbortController().signal;
    await Promise.all(keys.map((key) => worker.fallbacks.send(key, never)));
    while ((await findDueFallbacks(database.dataSource, now(), 1)).length > 0) await worker.turn();
    expect(most).toBeGreaterThan(4);
    expect(most).toBeLessThanOrEqual(16);
    expect(sender.numbers).toHaveLength(200);
  });

  describe('whose worker dies', () => {
    it('between the claim and the call is unknown, and is not sent again', async () => {
      const key = await ledger.addMessage({ users: [ADA], acceptedAt: now() });
      clock.advance(60 * SECOND);
      expect((await worker.claims.claim(key, 'http', 10)).toSend).toHaveLength(1);
      await pass(299);
      expect(await ledger.states(key)).toEqual({ [ADA]: 'sending' });
      await pass(1);
      expect(await ledger.fallbacks(key.messageId)).toEqual([
        expect.objectContaining({ state: 'unknown', error_code: 'interrupted' }),
      ]);
      for (let day = 0; day < 3; day++) await pass(86_400);
      expect([sender.numbers, await ledger.states(key)]).toEqual([[], { [ADA]: 'unknown' }]);
    });

    it('after the call is what the provider says of it', async () => {
      const key = await ledger.addMessage({ users: [ADA], acceptedAt: now() });
      clock.advance(60 * SECOND);
      await worker.claims.claim(key, 'http', 10);
      sender.known = { providerMessageId: 'SM1', status: 'delivered', errorCode: null };
      await pass(300);
      expect(sender.inquiries).toEqual([expect.objectContaining({ to: ADA, providerMessageId: null })]);
      expect(await ledger.fallbacks(key.messageId)).toEqual([
        expect.objectContaining({ state: 'delivered', provider_message_id: 'SM1' }),
      ]);
      expect(sender.numbers).toEqual([]);
    });

    it('no: that was only slow, has its record in the end', async () => {
      const key = await ledger.addMessage({ users: [ADA], acceptedAt: now() });
      const other = start();
      sender.answer = async (request) => {
        clock.advance(301 * SECOND);
        await other.turn();
        return taken(request);
      };
      await pass(60);
      expect([sender.numbers, await ledger.states(key)]).toEqual([[ADA], { [ADA]: 'sent' }]);
    });
  });

  describe('that gets no answer', () => {
    const NO_ANSWER: SmsOutcome = { kind: 'ambiguous', code: 'UND_ERR_HEADERS_TIMEOUT', reason: 'no answer' };

    it('is unknown: the provider is asked four times over an hour, and nothing is sent again', async () => {
      const key = await ledger.addMessage({ users: [ADA], acceptedAt: now() });
      sender.answer = () => NO_ANSWER;
      await pass(60);
      for (let minute = 0; minute < 180; minute++) await pass(60);
      expect([sender.numbers, sender.inquiries.length]).toEqual([[ADA], 4]);
      expect(await ledger.states(key)).toEqual({ [ADA]: 'unknown' });
    });

    it('is sent when the provider knows it', async () => {
      const key = await ledger.addMessage({ users: [ADA], acceptedAt: now() });
      sender.answer = () => NO_ANSWER;
      sender.known = { providerMessageId: 'SM1', status: 'sent', errorCode: null };
      await pass(60);
      await pass(30);
      expect(await ledger.states(key)).toEqual({ [ADA]: 'sent' });
      sender.known = { providerMessageId: 'SM1', status: 'undelivered', errorCode: '30003' };
      await pass(60);
      expect(await ledger.fallbacks(key.messageId)).toEqual([
        expect.objectContaining({ state: 'undelivered', error_code: '30003' }),
      ]);
    });
  });

  describe('that the provider refuses', () => {
    it('has failed when the number is to blame', async () => {
      const key = await ledger.addMessage({ users: [ADA, BOB], acceptedAt: now() });
      sender.answer = (request) =>
        request.to === ADA ? { kind: 'recipient_invalid', code: '21610', reason: 'opted out' } : taken(request);
      await pass(60);
      await pass(3_600);
      expect(sender.numbers.sort()).toEqual([ADA, BOB]);
      expect(await ledger.fallbacks(key.messageId)).toEqual([
        expect.objectContaining({ state: 'failed', error_code: '21610', reason: 'opted out' }),
        expect.objectContaining({ state: 'sent' }),
      ]);
    });

    it('is tried again when it was surely not taken', async () => {
      const key = await ledger.addMessage({ users: [ADA], acceptedAt: now() });
      sender.answer = () => ({ kind: 'retryable', code: '20503', reason: 'later', retryAfterMs: null });
      await pass(60);
      expect(await ledger.fallbacks(key.messageId)).toEqual([
        expect.objectContaining({ state: 'waiting', error_code: '20503', reason: 'later' }),
      ]);
      sender.answer = taken;
      await pass(9);
      expect(sender.numbers).toHaveLength(1);
      await pass(6);
      expect([sender.numbers, await ledger.states(key)]).toEqual([[ADA, ADA], { [ADA]: 'sent' }]);
    });

    it('is not needed any more when a device confirms before the next try', async () => {
      const device = await ledger.addDevice(ADA);
      const key = await ledger.addMessage({ users: [ADA], acceptedAt: now() });
      await ledger.addDelivery(key, device);
      sender.answer = () => ({ kind: 'retryable', code: '20503', reason: 'later', retryAfterMs: null });
      await pass(60);
      await ledger.report(key, device, 'shown', now());
      await pass(60);
      expect([sender.numbers, await ledger.states(key)]).toEqual([[ADA], { [ADA]: 'confirmed' }]);
    });

    it('waits with everybody when the account is to blame, is reported once, and goes with other credentials', async () => {
      const users = Array.from({ length: 50 }, (_, n) => `+1415555${String(1_000 + n)}`);
      const key = await ledger.addMessage({ users, acceptedAt: now() });
      sender.answer = () => ({ kind: 'config', code: '418', reason: 'no credit' });
      await pass(60);
      expect(sender.numbers.length).toBeLessThanOrEqual(16);
      expect(new Set(Object.values(await ledger.states(key)))).toEqual(new Set(['waiting']));
      const held = worker.lines.filter(({ event }) => event === 'fallback.route-held');
      expect(held).toEqual([expect.objectContaining({ code: '418', reason: 'no credit' })]);
      const tried = sender.numbers.length;
      await pass(5);
      expect(sender.numbers).toHaveLength(tried);
      await pass(60);
      expect(sender.numbers).toHaveLength(tried + 1);
      const former = sender;
      sender = new FakeSmsSender();
      await storeSmsCredentials(database.dataSource, APP_ID, ANY_CREDENTIALS, now());
      await pass(3_600);
      expect([former.isClosed, new Set(sender.numbers)]).toEqual([true, new Set(users)]);
      expect(sender.numbers).toHaveLength(50);
    });
  });

  it('waits for a provider, and expires when none comes', async () => {
    await ledger.run(`DELETE FROM vendor_credentials`);
    const key = await ledger.addMessage({ users: [ADA, BOB], acceptedAt: now(), ttlSeconds: 600 });
    await pass(60);
    expect(await ledger.fallbacks(key.messageId)).toEqual([
      expect.objectContaining({ state: 'waiting', error_code: 'no_provider' }),
      expect.objectContaining({ state: 'waiting', reason: 'No SMS provider is set up' }),
    ]);
    for (let minute = 0; minute < 9; minute++) await pass(60);
    expect(await ledger.states(key)).toEqual({ [ADA]: 'expired', [BOB]: 'expired' });
    await storeSmsCredentials(database.dataSource, APP_ID, ANY_CREDENTIALS, now());
    await pass(60);
    expect(sender.numbers).toEqual([]);
  });

  it('is never sent after the message expired, not even a second', async () => {
    const late = await ledger.addMessage({ users: [ADA], acceptedAt: now(), ttlSeconds: 60 });
    const early = await ledger.addMessage({ users: [BOB], acceptedAt: now(), ttlSeconds: 61 });
    await pass(60);
    expect([await ledger.states(late), await ledger.states(early)]).toEqual([{ [ADA]: 'expired' }, { [BOB]: 'sent' }]);
    expect(sender.requests).toEqual([expect.objectContaining({ to: BOB, validitySeconds: 1 })]);
  });

  it('is not sent when the message was cancelled', async () => {
    const key = await ledger.addMessage({ users: [ADA], acceptedAt: now() });
    expect(await cancelMessage(database.dataSource, APP_ID, key.messageId, now())).toBe(true);
    await pass(60);
    expect([sender.numbers, await ledger.states(key)]).toEqual([[], { [ADA]: 'cancelled' }]);
  });

  it('counts what it did', async () => {
    await ledger.addMessage({ users: [ADA, BOB, 'nobody'], acceptedAt: now() });
    await pass(60);
    const text = await worker.metrics.metrics();
    expect(text).toContain('postrider_fallbacks_total{state="sent",provider="http"} 2');
    expect(text).toContain('postrider_fallbacks_total{state="no_phone",provider=""} 1');
    expect(JSON.stringify(worker.lines)).not.toContain(ADA);
  });

  it('remembers who told the provider to stop, and asks it about that number no more', async () => {
    sender.provider = 'twilio';
    sender.answer = (request) =>
      request.to === ADA ? { kind: 'recipient_invalid', code: '21610', reason: 'opted out' } : taken(request);
    const first = await ledger.addMessage({ users: [ADA, BOB], acceptedAt: now(), delaySeconds: 0 });
    await pass(3);
    expect(await ledger.states(first)).toEqual({ [ADA]: 'failed', [BOB]: 'sent' });
    const second = await ledger.addMessage({ users: [ADA, BOB], acceptedAt: now(), delaySeconds: 0 });
    await pass(3);
    expect(sender.requests.filter(({ to }) => to === ADA)).toHaveLength(1);
    expect(await ledger.fallbacks(second.messageId)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          state: 'failed',
          error_code: 'opted_out',
          reason: expect.stringContaining('no more'),
        }),
        expect.objectContaining({ state: 'sent' }),
      ]),
    );
  });

  it('comes back soon for what a neighbour has in its hands at the moment', async () => {
    const key = await ledger.addMessage({ users: [ADA, BOB], acceptedAt: now(), delaySeconds: 0 });
    clock.advance(SECOND);
    const signal = new AbortController().signal;
    await inTransaction(database.dataSource, async (executor) => {
      await lockDueFallbacks(executor, key, now(), 10);
      expect(await worker.fallbacks.send(key, signal)).toEqual({ kind: 'later', delayMs: expect.any(Number) });
    });
    expect(await worker.fallbacks.send(key, signal)).toEqual({ kind: 'done' });
    expect(sender.numbers.sort()).toEqual([ADA, BOB]);
  });
});
