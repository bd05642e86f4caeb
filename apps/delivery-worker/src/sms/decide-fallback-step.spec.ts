import type { SmsOutcome } from '@postrider/vendors';
import { decideFallbackStep } from './decide-fallback-step';

const NOW = new Date('2026-01-01T00:00:00Z');
const later = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1_000);
const policy = { timeScale: 1, random: () => 0 };
const step = (outcome: SmsOutcome, changes: object = {}): ReturnType<typeof decideFallbackStep> => {
  const usual = { attempt: 1, expiresAt: later(3_600), canBeAsked: true, isReported: false, resendsUnknown: false };
  const facts = { ...usual, ...changes };
  return decideFallbackStep(outcome, facts, NOW, policy);
};
const no = (kind: string, more: object = {}): SmsOutcome => ({ kind, code: 'c', reason: 'r', ...more }) as SmsOutcome;

describe('what comes after an SMS was handed to a provider', () => {
  it.each([
    ['taken', { kind: 'accepted', vendorMessageId: 'SM1' }, {}, 'sent', 60],
    ['taken by one that reports', { kind: 'accepted', vendorMessageId: 'SM1' }, { isReported: true }, 'sent', null],
    [
      'taken by one that knows nothing later',
      { kind: 'accepted', vendorMessageId: null },
      { canBeAsked: false },
      'sent',
      null,
    ],
    ['a number that is none', no('recipient_invalid'), {}, 'failed', null],
    ['a text that is too long', no('request_invalid'), {}, 'failed', null],
    ['no answer', no('ambiguous'), {}, 'unknown', 30],
    ['no answer of one that knows nothing later', no('ambiguous'), { canBeAsked: false }, 'unknown', null],
    ['no answer, to be sent again', no('ambiguous'), { canBeAsked: false, resendsUnknown: true }, 'unknown', 30],
    ['busy', no('retryable', { retryAfterMs: null }), {}, 'waiting', 10],
    ['busy for the fourth time', no('retryable', { retryAfterMs: null }), { attempt: 4 }, 'waiting', 80],
    ['too fast', no('throttled', { scope: 'route', retryAfterMs: 120_000 }), {}, 'waiting', 120],
    ['no credit', no('config'), {}, 'waiting', 10],
    ['busy beyond the expiry', no('retryable', { retryAfterMs: 9e6 }), { expiresAt: later(100) }, 'waiting', 100],
  ])('%s', (_name, outcome, changes, state, wakeSeconds) => {
    const result = step(outcome as SmsOutcome, changes);
    expect(result.state).toBe(state);
    expect(result.wakeAt).toEqual(wakeSeconds === null ? null : later(wakeSeconds));
  });

  it('never pauses longer than an hour by itself, however often it was tried', () => {
    const expiresAt = later(1e6);
    expect(step(no('retryable', { retryAfterMs: null }), { attempt: 60, expiresAt }).wakeAt).toEqual(later(3_600));
  });
});
