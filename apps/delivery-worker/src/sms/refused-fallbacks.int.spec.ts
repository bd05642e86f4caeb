import { HOUR_MS, SECOND_MS } from '@postrider/domain';
import { rows } from '@postrider/persistence';
import type { SmsOutcome } from '@postrider/vendors';
import { FakeSmsSender, taken } from './testing/fake-sms-sender';
import { ADA, BOB, useFallbackStage } from './testing/fallback-stage';

describe('fallback SMS', () => {
  const stage = useFallbackStage();

  describe('that the provider refuses', () => {
    it('has failed when the number is to blame', async () => {
      const key = await stage.ledger.addMessage({ users: [ADA, BOB], acceptedAt: stage.now() });
      stage.sender.answer = (request) =>
        request.to === ADA ? { kind: 'recipient_invalid', code: '21610', reason: 'opted out' } : taken(request);
      await stage.pass(60);
      await stage.pass(3_600);
      expect(stage.sender.numbers.sort()).toEqual([ADA, BOB]);
      expect(await stage.ledger.fallbacks(key.messageId)).toEqual([
        expect.objectContaining({ state: 'failed', error_code: '21610', reason: 'opted out' }),
        expect.objectContaining({ state: 'sent' }),
      ]);
    });

    it('is tried again when it was surely not taken', async () => {
      const key = await stage.ledger.addMessage({ users: [ADA], acceptedAt: stage.now() });
      stage.sender.answer = () => ({ kind: 'retryable', code: '20503', reason: 'later', retryAfterMs: null });
      await stage.pass(60);
      expect(await stage.ledger.fallbacks(key.messageId)).toEqual([
        expect.objectContaining({ state: 'waiting', error_code: '20503', reason: 'later' }),
      ]);
      stage.sender.answer = taken;
      await stage.pass(9);
      expect(stage.sender.numbers).toHaveLength(1);
      await stage.pass(6);
      expect([stage.sender.numbers, await stage.ledger.states(key)]).toEqual([[ADA, ADA], { [ADA]: 'sent' }]);
    });

    it('is not needed any more when a device confirms before the next try', async () => {
      const device = await stage.ledger.addDevice(ADA);
      const key = await stage.ledger.addMessage({ users: [ADA], acceptedAt: stage.now() });
      await stage.ledger.addDelivery(key, device);
      stage.sender.answer = () => ({ kind: 'retryable', code: '20503', reason: 'later', retryAfterMs: null });
      await stage.pass(60);
      await stage.ledger.report(key, device, 'shown', stage.now());
      await stage.pass(60);
      expect([stage.sender.numbers, await stage.ledger.states(key)]).toEqual([[ADA], { [ADA]: 'confirmed' }]);
    });

    it('holds the others no longer when the clock of PostgreSQL is set back', async () => {
      await stage.ledger.addMessage({ users: [ADA], acceptedAt: stage.now() });
      stage.sender.answer = () => ({ kind: 'config', code: '418', reason: 'no credit' });
      await stage.pass(60);
      stage.clock.setBack(HOUR_MS);
      stage.clock.advance(15 * SECOND_MS);
      stage.sender.answer = taken;
      const key = await stage.ledger.addMessage({ users: [BOB], acceptedAt: stage.now(), delaySeconds: 0 });
      await stage.worker.turn();
      expect(await stage.ledger.states(key)).toEqual({ [BOB]: 'sent' });
    });

    it('waits with everybody when the account is to blame, is reported once, and goes with other credentials', async () => {
      const users = Array.from({ length: 50 }, (_, n) => `+1415555${String(1_000 + n)}`);
      const key = await stage.ledger.addMessage({ users, acceptedAt: stage.now() });
      stage.sender.answer = () => ({ kind: 'config', code: '418', reason: 'no credit' });
      await stage.pass(60);
      expect(stage.sender.numbers.length).toBeLessThanOrEqual(16);
      expect(new Set(Object.values(await stage.ledger.states(key)))).toEqual(new Set(['waiting']));
      const held = stage.worker.lines.filter(({ event }) => event === 'fallback.route-held');
      expect(held).toEqual([expect.objectContaining({ code: '418', reason: 'no credit' })]);
      const tried = stage.sender.numbers.length;
      await stage.pass(5);
      expect(stage.sender.numbers).toHaveLength(tried);
      await stage.pass(60);
      expect(stage.sender.numbers).toHaveLength(tried + 1);
      const former = stage.sender;
      stage.sender = new FakeSmsSender();
      await stage.storeCredentials();
      await stage.pass(3_600);
      expect([former.isClosed, new Set(stage.sender.numbers)]).toEqual([true, new Set(users)]);
      expect(stage.sender.numbers).toHaveLength(50);
    });
  });

  it('is not held for what a former account got, whose credentials were changed while it was asked', async () => {
    const former = stage.sender;
    let answer: (outcome: SmsOutcome) => void = () => undefined;
    const begun = new Promise<void>((isBegun) => {
      former.answer = () =>
        new Promise((resolve) => {
          answer = resolve;
          isBegun();
        });
    });
    const first = await stage.ledger.addMessage({ users: [ADA], acceptedAt: stage.now(), delaySeconds: 0 });
    const sending = stage.pass(3);
    await begun;
    stage.sender = new FakeSmsSender();
    await stage.storeCredentials();
    const second = await stage.ledger.addMessage({ users: [BOB], acceptedAt: stage.now(), delaySeconds: 0 });
    await stage.pass(3);
    answer({ kind: 'config', code: '20003', reason: 'wrong key' });
    await sending;
    expect(stage.worker.lines.filter(({ event }) => event === 'fallback.route-held')).toEqual([]);
    expect([await stage.ledger.states(first), await stage.ledger.states(second)]).toEqual([
      { [ADA]: 'waiting' },
      { [BOB]: 'sent' },
    ]);
  });

  it('remembers who told the provider to stop, and asks it about that number no more', async () => {
    stage.sender.provider = 'twilio';
    stage.sender.answer = (request) =>
      request.to === ADA ? { kind: 'recipient_invalid', code: '21610', reason: 'opted out' } : taken(request);
    const first = await stage.ledger.addMessage({ users: [ADA, BOB], acceptedAt: stage.now(), delaySeconds: 0 });
    await stage.pass(3);
    expect(await stage.ledger.states(first)).toEqual({ [ADA]: 'failed', [BOB]: 'sent' });
    const kept = await rows<{ phone: string }>(stage.database.dataSource, `SELECT phone FROM opted_out_numbers`, []);
    expect(kept).toEqual([{ phone: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
    const second = await stage.ledger.addMessage({ users: [ADA, BOB], acceptedAt: stage.now(), delaySeconds: 0 });
    await stage.pass(3);
    expect(stage.sender.requests.filter(({ to }) => to === ADA)).toHaveLength(1);
    expect(await stage.ledger.fallbacks(second.messageId)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          state: 'failed',
          error_code: 'opted_out',
          reason: 'The owner of this number told the SMS provider to stop',
        }),
        expect.objectContaining({ state: 'sent' }),
      ]),
    );
  });
});
