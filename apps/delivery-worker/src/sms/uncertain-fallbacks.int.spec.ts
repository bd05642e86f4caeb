import {
  FallbackAttemptsRepository,
  FallbacksRepository,
  inTransaction,
  type MessageKey,
} from '@postrider/persistence';
import { PhoneDigest } from '@postrider/platform';
import type { SmsOutcome } from '@postrider/vendors';
import { taken } from './testing/fake-sms-sender';
import { ADA, BOB, useFallbackStage } from './testing/fallback-stage';

const SECOND = 1_000;
const DIGEST = new PhoneDigest([Buffer.alloc(32, 'k')]);

describe('fallback SMS', () => {
  const stage = useFallbackStage();

  /** Does the work of a job: runs again as long as there was no room. */
  const untilDone = async (key: MessageKey, signal: AbortSignal): Promise<void> => {
    while ((await stage.worker.fallbacks.send(key, signal)).kind === 'later');
  };

  /** A worker notes that it writes, and dies before it does anything else. */
  const begin = async (key: MessageKey): Promise<void> => {
    const { toSend } = await stage.worker.claims.claim(key, await stage.account(), 10);
    expect(await stage.worker.attempts.begin(key, toSend)).toHaveLength(1);
  };

  it('goes once under three workers and jobs that come twice', async () => {
    const users = Array.from({ length: 200 }, (_, n) => `+1415555${String(1_000 + n)}`);
    const key = await stage.ledger.addMessage({ users, acceptedAt: stage.now() });
    stage.clock.advance(60 * SECOND);
    const workers = [stage.worker, stage.startAnother(), stage.startAnother()];
    const never = new AbortController().signal;
    await Promise.all([...workers, ...workers].map(({ fallbacks }) => fallbacks.send(key, never)));
    // A worker that finds rows locked by others may stop early; recovery starts another look at the rest.
    while ((await new FallbacksRepository(stage.database.dataSource).findDue(stage.now(), 1)).length > 0)
      await stage.worker.turn();
    expect(stage.sender.numbers).toHaveLength(200);
    expect(new Set(stage.sender.numbers)).toEqual(new Set(users));
    expect(new Set(Object.values(await stage.ledger.states(key)))).toEqual(new Set(['sent']));
  });

  it('is given to a provider that does not answer until it is held; the others wait, and go out when it answers', async () => {
    const users = Array.from({ length: 60 }, (_, n) => `+1415555${String(1_000 + n)}`);
    const key = await stage.ledger.addMessage({ users, acceptedAt: stage.now() });
    stage.sender.answer = () => ({ kind: 'ambiguous', code: 'DEADLINE', reason: 'No answer' });
    await stage.pass(60);
    const unknown = stage.sender.numbers.length;
    expect(unknown).toBeLessThanOrEqual(20);
    await stage.pass(16);
    expect(stage.sender.numbers).toHaveLength(unknown + 1);
    stage.sender.answer = taken;
    await stage.pass(31);
    while ((await new FallbacksRepository(stage.database.dataSource).findDue(stage.now(), 1)).length > 0)
      await stage.worker.turn();
    expect(new Set(stage.sender.numbers).size).toBe(stage.sender.numbers.length);
    const states = Object.values(await stage.ledger.states(key));
    expect(states.filter((state) => state === 'unknown')).toHaveLength(unknown + 1);
    expect(states.filter((state) => state === 'sent')).toHaveLength(60 - unknown - 1);
  });

  it('never has more calls under way than the provider is given', async () => {
    const users = Array.from({ length: 100 }, (_, n) => `+1415555${String(1_000 + n)}`);
    const keys = [
      await stage.ledger.addMessage({ users, acceptedAt: stage.now() }),
      await stage.ledger.addMessage({ users, acceptedAt: stage.now() }),
    ];
    let [underWay, most] = [0, 0];
    stage.sender.answer = async (request) => {
      most = Math.max(most, ++underWay);
      await new Promise((next) => setImmediate(next));
      underWay--;
      return taken(request);
    };
    stage.clock.advance(60 * SECOND);
    const never = new AbortController().signal;
    await Promise.all(keys.map((key) => stage.worker.fallbacks.send(key, never)));
    while ((await new FallbacksRepository(stage.database.dataSource).findDue(stage.now(), 1)).length > 0)
      await stage.worker.turn();
    expect(most).toBeGreaterThan(4);
    expect(most).toBeLessThanOrEqual(16);
    expect(stage.sender.numbers).toHaveLength(200);
  });

  it('uses every call that the provider is given, for forty messages of one user as for one message of forty', async () => {
    const acceptedAt = stage.now();
    const users = Array.from({ length: 40 }, (_, n) => `+1415555${String(1_000 + n)}`);
    const one = [await stage.ledger.addMessage({ users, acceptedAt })];
    const forty = await Promise.all(users.map(() => stage.ledger.addMessage({ users: [ADA], acceptedAt })));
    stage.clock.advance(60 * SECOND);
    for (const keys of [one, forty]) {
      // No call is answered before the provider is used fully: sixteen calls.
      let underWay = 0;
      let open: () => void = () => undefined;
      const isFull = new Promise<void>((resolve) => (open = resolve));
      stage.sender.answer = async (request) => {
        if (++underWay === 16) open();
        await isFull;
        return taken(request);
      };
      const never = new AbortController().signal;
      await Promise.all(keys.map((key) => untilDone(key, never)));
    }
    expect(stage.sender.numbers).toHaveLength(80);
  });

  it('goes on with others while one SMS of the same message gets no answer', async () => {
    const users = Array.from({ length: 40 }, (_, n) => `+1415555${String(1_000 + n)}`);
    const key = await stage.ledger.addMessage({ users, acceptedAt: stage.now() });
    stage.clock.advance(60 * SECOND);
    let open: () => void = () => undefined;
    const isLast = new Promise<void>((resolve) => (open = resolve));
    stage.sender.answer = async (request) => {
      if (stage.sender.requests.length === 1) await isLast;
      if (stage.sender.requests.length === 40) open();
      return taken(request);
    };
    await untilDone(key, new AbortController().signal);
    expect(new Set(Object.values(await stage.ledger.states(key)))).toEqual(new Set(['sent']));
  });

  it('goes once when PostgreSQL’s answer to the note that it is written is lost: nothing was written before', async () => {
    const key = await stage.ledger.addMessage({ users: [ADA, BOB], acceptedAt: stage.now() });
    const { prototype } = FallbackAttemptsRepository;
    const really = prototype.markWritten;
    jest.spyOn(prototype, 'markWritten').mockImplementationOnce(async function (
      this: FallbackAttemptsRepository,
      ...call
    ) {
      await really.apply(this, call);
      throw new Error('Connection terminated unexpectedly');
    });
    // The queue runs a job again that PostgreSQL was away for.
    await stage.pass(60).catch(() => undefined);
    await stage.pass(120);
    await stage.pass(3_600);
    expect(stage.sender.numbers.toSorted()).toEqual([ADA, BOB]);
    expect(await stage.ledger.states(key)).toEqual({ [ADA]: 'sent', [BOB]: 'sent' });
  });

  describe('whose worker dies', () => {
    it('between the claim and the call is sent by another, once', async () => {
      const users = Array.from({ length: 30 }, (_, n) => `+1415555${String(1_000 + n)}`);
      const key = await stage.ledger.addMessage({ users, acceptedAt: stage.now() });
      stage.clock.advance(60 * SECOND);
      const { toSend } = await stage.worker.claims.claim(key, await stage.account(), 16);
      expect(toSend).toHaveLength(16);
      await stage.pass(29);
      expect(stage.sender.numbers).toHaveLength(14);
      await stage.pass(1);
      expect([...stage.sender.numbers].sort()).toEqual(users);
      // The dead worker was only slow: its claims no longer belong to it.
      expect(await stage.worker.attempts.begin(key, toSend)).toEqual([]);
      expect(await stage.worker.metrics.metrics()).toContain(
        'postrider_fallbacks_resent_total{why="unwritten",provider="http"} 16',
      );
    });

    it('when it may have written is unknown, and is not sent again', async () => {
      const key = await stage.ledger.addMessage({ users: [ADA], acceptedAt: stage.now() });
      stage.clock.advance(60 * SECOND);
      await begin(key);
      await stage.pass(119);
      expect(await stage.ledger.states(key)).toEqual({ [ADA]: 'sending' });
      await stage.pass(1);
      expect(await stage.ledger.fallbacks(key.messageId)).toEqual([
        expect.objectContaining({ state: 'unknown', error_code: 'interrupted' }),
      ]);
      for (let day = 0; day < 3; day++) await stage.pass(86_400);
      expect([stage.sender.numbers, await stage.ledger.states(key)]).toEqual([[], { [ADA]: 'unknown' }]);
    });

    it('after the call is what the provider says of it', async () => {
      const key = await stage.ledger.addMessage({ users: [ADA], acceptedAt: stage.now() });
      stage.clock.advance(60 * SECOND);
      await begin(key);
      stage.sender.known = { providerMessageId: 'SM1', status: 'delivered', errorCode: null };
      await stage.pass(120);
      expect(stage.sender.inquiries).toEqual([expect.objectContaining({ to: ADA, providerMessageId: null })]);
      expect(await stage.ledger.fallbacks(key.messageId)).toEqual([
        expect.objectContaining({ state: 'delivered', provider_message_id: 'SM1' }),
      ]);
      expect(stage.sender.numbers).toEqual([]);
    });

    it.each([
      ['leave', []],
      ['resend', [ADA]],
    ])(
      'is left to the choice %s when the account was replaced: the new one knows nothing of it',
      async (onUnknown, sent) => {
        const key = await stage.ledger.addMessage({ users: [ADA], acceptedAt: stage.now() });
        stage.clock.advance(60 * SECOND);
        await begin(key);
        await stage.storeCredentials({ onUnknown });
        stage.sender.known = 'absent';
        await stage.pass(120);
        const atOnce = stage.sender.numbers;
        for (let hour = 0; hour < 3; hour++) await stage.pass(3_600);
        expect([atOnce, stage.sender.numbers]).toEqual([[], sent]);
        const [ada] = await stage.ledger.fallbacks(key.messageId);
        expect(ada).toMatchObject(onUnknown === 'leave' ? { state: 'unknown' } : { state: 'sent', resent: 1 });
      },
    );

    it('after the call is what the provider says of it although the credentials were stored again', async () => {
      const key = await stage.ledger.addMessage({ users: [ADA], acceptedAt: stage.now() });
      stage.clock.advance(60 * SECOND);
      await begin(key);
      await stage.storeCredentials();
      stage.sender.known = { providerMessageId: 'SM1', status: 'delivered', errorCode: null };
      await stage.pass(120);
      expect(await stage.ledger.states(key)).toEqual({ [ADA]: 'delivered' });
    });

    it('is sent again when the provider says that it never had it', async () => {
      const key = await stage.ledger.addMessage({ users: [ADA], acceptedAt: stage.now() });
      stage.clock.advance(60 * SECOND);
      await begin(key);
      stage.sender.known = 'absent';
      await stage.pass(120);
      expect([stage.sender.numbers, await stage.ledger.states(key)]).toEqual([[ADA], { [ADA]: 'sent' }]);
      expect(await stage.ledger.fallbacks(key.messageId)).toEqual([expect.objectContaining({ attempt: 2, resent: 0 })]);
    });

    it('before the columns were there counts as one that may have written', async () => {
      const key = await stage.ledger.addMessage({ users: [ADA], acceptedAt: stage.now() });
      await stage.ledger.run(
        `UPDATE fallbacks SET state = 'sending', attempt = 1, provider = 'http', phone = user_id, attempted_at = $1, wake_at = $1`,
        [stage.now()],
      );
      await stage.pass(1);
      expect([stage.sender.numbers, await stage.ledger.states(key)]).toEqual([[], { [ADA]: 'unknown' }]);
    });

    it('no: that was only slow, has its record in the end', async () => {
      const key = await stage.ledger.addMessage({ users: [ADA], acceptedAt: stage.now() });
      const other = stage.startAnother();
      stage.sender.answer = async (request) => {
        stage.clock.advance(301 * SECOND);
        await other.turn();
        return taken(request);
      };
      await stage.pass(60);
      expect([stage.sender.numbers, await stage.ledger.states(key)]).toEqual([[ADA], { [ADA]: 'sent' }]);
    });
  });

  describe('that gets no answer', () => {
    const NO_ANSWER: SmsOutcome = { kind: 'ambiguous', code: 'UND_ERR_HEADERS_TIMEOUT', reason: 'no answer' };

    it('is unknown: the provider is asked four times over an hour, and nothing is sent again', async () => {
      const key = await stage.ledger.addMessage({ users: [ADA], acceptedAt: stage.now() });
      stage.sender.answer = () => NO_ANSWER;
      await stage.pass(60);
      for (let minute = 0; minute < 180; minute++) await stage.pass(60);
      expect([stage.sender.numbers, stage.sender.inquiries.length]).toEqual([[ADA], 4]);
      expect(await stage.ledger.states(key)).toEqual({ [ADA]: 'unknown' });
    });

    it('is sent when the provider knows it', async () => {
      const key = await stage.ledger.addMessage({ users: [ADA], acceptedAt: stage.now() });
      stage.sender.answer = () => NO_ANSWER;
      stage.sender.known = { providerMessageId: 'SM1', status: 'sent', errorCode: null };
      await stage.pass(60);
      await stage.pass(30);
      expect(await stage.ledger.states(key)).toEqual({ [ADA]: 'sent' });
      stage.sender.known = { providerMessageId: 'SM1', status: 'undelivered', errorCode: '30003' };
      await stage.pass(60);
      expect(await stage.ledger.fallbacks(key.messageId)).toEqual([
        expect.objectContaining({ state: 'undelivered', error_code: '30003' }),
      ]);
    });
  });

  describe('of which nobody can say whether it was taken', () => {
    const NO_ANSWER: SmsOutcome = { kind: 'ambiguous', code: 'UND_ERR_HEADERS_TIMEOUT', reason: 'no answer' };
    const onUnknown = (choice: string): Promise<void> => stage.storeCredentials({ onUnknown: choice });

    it('is sent again by choice, three times and no more', async () => {
      await onUnknown('resend');
      const key = await stage.ledger.addMessage({ users: [ADA], acceptedAt: stage.now() });
      stage.sender.answer = () => NO_ANSWER;
      for (let minute = 0; minute < 600; minute++) await stage.pass(60);
      expect(stage.sender.numbers).toEqual([ADA, ADA, ADA, ADA]);
      expect(await stage.ledger.fallbacks(key.messageId)).toEqual([
        expect.objectContaining({ state: 'unknown', attempt: 4, resent: 3 }),
      ]);
      expect(await stage.worker.metrics.metrics()).toContain(
        'postrider_fallbacks_resent_total{why="chosen",provider="http"} 3',
      );
    });

    it('is sent again by choice after its worker died, and is left where nobody chose', async () => {
      const key = await stage.ledger.addMessage({ users: [ADA], acceptedAt: stage.now() });
      stage.clock.advance(60 * SECOND);
      await begin(key);
      await stage.pass(3_600);
      expect(stage.sender.numbers).toEqual([]);
      await onUnknown('resend');
      await stage.pass(3_600);
      expect([stage.sender.numbers, await stage.ledger.states(key)]).toEqual([[ADA], { [ADA]: 'sent' }]);
    });

    it('is not sent again when its message has expired meanwhile', async () => {
      await onUnknown('resend');
      const key = await stage.ledger.addMessage({ users: [ADA], acceptedAt: stage.now(), ttlSeconds: 90 });
      stage.sender.answer = () => NO_ANSWER;
      await stage.pass(60);
      for (let minute = 0; minute < 60; minute++) await stage.pass(60);
      expect([stage.sender.numbers, await stage.ledger.states(key)]).toEqual([[ADA], { [ADA]: 'unknown' }]);
    });

    it('is sent although it was to be sent again, when the answer comes after all', async () => {
      await onUnknown('resend');
      const key = await stage.ledger.addMessage({ users: [ADA], acceptedAt: stage.now() });
      stage.sender.answer = () => NO_ANSWER;
      await stage.pass(60);
      const attempt = { ...key, userId: ADA, attempt: 1 };
      const { dataSource } = stage.database;
      expect(await new FallbackAttemptsRepository(dataSource).resend(attempt, true, stage.now())).toBe(true);
      const result = { state: 'sent', providerMessageId: 'SM1', errorCode: null, reason: null, wakeAt: null } as const;
      expect(
        await new FallbackAttemptsRepository(dataSource).record(attempt, result, { now: stage.now(), digest: DIGEST }),
      ).toBe('sent');
      await stage.pass(60);
      expect([stage.sender.numbers, await stage.ledger.states(key)]).toEqual([[ADA], { [ADA]: 'sent' }]);
    });
  });

  it('comes back soon for what a neighbour has in its hands at the moment', async () => {
    const key = await stage.ledger.addMessage({ users: [ADA, BOB], acceptedAt: stage.now(), delaySeconds: 0 });
    stage.clock.advance(SECOND);
    const signal = new AbortController().signal;
    await inTransaction(stage.database.dataSource, async (executor) => {
      await new FallbacksRepository(stage.database.dataSource).lockDue(executor, key, stage.now(), 10);
      expect(await stage.worker.fallbacks.send(key, signal)).toEqual({ kind: 'later', delayMs: expect.any(Number) });
    });
    expect(await stage.worker.fallbacks.send(key, signal)).toEqual({ kind: 'done' });
    expect(stage.sender.numbers.sort()).toEqual([ADA, BOB]);
  });
});
