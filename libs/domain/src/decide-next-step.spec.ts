import fc from 'fast-check';
import { type AttemptedDelivery, decideNextStep, type NextStep } from './decide-next-step';
import { type SendOutcome, PUSH_VENDORS } from './vendor';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const NOW = Date.parse('2026-11-21T12:00:00Z');
const first: AttemptedDelivery = {
  vendor: 'fcm',
  attempt: 1,
  isUnanswered: false,
  firstAttemptAt: NOW,
  expiresAt: NOW + 24 * HOUR,
};

function refusal(
  kind: 'throttled' | 'retryable' | 'ambiguous' | 'token_invalid' | 'request_invalid' | 'config',
  retryAfterMs: number | null = null,
  code = 'CODE',
): SendOutcome {
  const said = { code, reason: 'as the vendor says' };
  if (kind === 'throttled') return { kind, ...said, scope: 'route', retryAfterMs };
  if (kind === 'retryable') return { kind, ...said, retryAfterMs };
  return { kind, ...said };
}

/** Without jitter, unless `random` says so. */
function decide(delivery: Partial<AttemptedDelivery>, outcome: SendOutcome, random = 0, timeScale = 1): NextStep {
  return decideNextStep({ ...first, ...delivery }, outcome, NOW, { timeScale, random: () => random });
}

function delayOf(step: NextStep): number {
  if (step.kind !== 'retry') throw new Error(`expected a retry, not ${step.kind}`);
  return step.delayMs;
}

describe('what comes after a vendor call', () => {
  it('is final when the vendor took it or never will', () => {
    const said = { code: 'CODE', reason: 'as the vendor says' };
    expect(decide({}, { kind: 'accepted', vendorMessageId: 'm1' })).toEqual({ kind: 'sent', vendorMessageId: 'm1' });
    expect(decide({}, refusal('request_invalid'))).toEqual({ kind: 'failed', ...said });
    expect(decide({}, refusal('token_invalid'))).toEqual({ kind: 'token_dead', ...said });
    const deadSince = new Date(NOW);
    expect(decide({}, { kind: 'token_invalid', ...said, deadSince })).toEqual({
      kind: 'token_dead',
      ...said,
      deadSince,
    });
  });

  it('is expired when the message was not handed over any more', () => {
    const outcome: SendOutcome = { kind: 'expired', code: 'EXPIRED', reason: 'too late' };
    expect(decide({ expiresAt: NOW + MINUTE }, outcome)).toEqual(outcome);
  });

  it('holds the device with its route when the credentials are wrong', () => {
    expect(decide({}, refusal('config'))).toMatchObject({ kind: 'hold', code: 'CODE' });
  });

  it.each([
    ['fcm', 'throttled', 'QUOTA_EXCEEDED', MINUTE],
    ['fcm', 'retryable', 'UNAVAILABLE', 10 * SECOND],
    ['fcm', 'retryable', 'HTTP_503', 10 * SECOND],
    ['apns', 'retryable', 'InternalServerError', 15 * MINUTE],
    ['apns', 'retryable', 'ServiceUnavailable', 15 * MINUTE],
    ['apns', 'retryable', 'HTTP_502', 15 * MINUTE],
    ['apns', 'retryable', 'connection_lost', 10 * SECOND],
    ['apns', 'throttled', 'TooManyRequests', MINUTE],
    ['hms', 'retryable', '81000001', 10 * SECOND],
    ['hms', 'throttled', '80100017', 10 * SECOND],
    ['webpush', 'throttled', 'HTTP_429', MINUTE],
    ['webpush', 'retryable', 'HTTP_500', 10 * SECOND],
  ] as const)('leaves %s alone after %s %s for its floor, and up to twice that', (vendor, kind, code, floorMs) => {
    expect(delayOf(decide({ vendor }, refusal(kind, null, code)))).toBe(floorMs);
    expect(delayOf(decide({ vendor }, refusal(kind, null, code), 0.999))).toBeLessThanOrEqual(2 * floorMs);
  });

  it('doubles the window of the jitter with every attempt, up to an hour', () => {
    const delays = [1, 2, 3, 4].map((attempt) => delayOf(decide({ attempt }, refusal('retryable'), 0.5)));
    expect(delays).toEqual([15 * SECOND, 20 * SECOND, 30 * SECOND, 50 * SECOND]);
    expect(delayOf(decide({ attempt: 40 }, refusal('retryable'), 0.5))).toBe(30 * MINUTE + 10 * SECOND);
    expect(delayOf(decide({ attempt: 40 }, refusal('retryable'), 0.5, 0.01))).toBe(0.3 * MINUTE + 100);
  });

  it('keeps to a longer Retry-After, and scales the floors but never that', () => {
    expect(delayOf(decide({}, refusal('throttled', 5 * MINUTE)))).toBe(5 * MINUTE);
    expect(delayOf(decide({}, refusal('throttled', 2 * SECOND)))).toBe(MINUTE);
    expect(delayOf(decide({}, refusal('throttled', 2 * SECOND), 0, 0.01))).toBe(2 * SECOND);
    expect(delayOf(decide({}, refusal('throttled'), 0, 0.01))).toBe(600);
    expect(delayOf(decide({}, refusal('retryable'), 0.9, 0))).toBe(0);
  });

  it('expires when there is no time for another attempt', () => {
    const expiresAt = NOW + 30 * SECOND;
    expect(decide({ expiresAt }, refusal('throttled'))).toMatchObject({ kind: 'expired', code: 'CODE' });
    expect(decide({ expiresAt }, refusal('retryable', HOUR))).toMatchObject({ kind: 'expired' });
    expect(decide({ expiresAt: NOW }, refusal('ambiguous'))).toMatchObject({ kind: 'expired' });
    expect(decide({ expiresAt: NOW + 10 * SECOND }, refusal('retryable'))).toMatchObject({ kind: 'expired' });
    expect(decide({ expiresAt: NOW + 10 * SECOND + 1 }, refusal('retryable')).kind).toBe('retry');
    expect(delayOf(decide({ expiresAt }, refusal('retryable'), 0.9))).toBe(19 * SECOND);
  });

  it('lets the jitter give way to the expiry', () => {
    expect(delayOf(decide({ expiresAt: NOW + 12 * SECOND }, refusal('retryable'), 0.9))).toBe(11 * SECOND);
  });

  it('gives FCM up after an hour of trying, APNs only when the message expires', () => {
    const tried = { attempt: 9, firstAttemptAt: NOW - HOUR };
    expect(decide(tried, refusal('retryable'))).toMatchObject({
      kind: 'failed',
      code: 'CODE',
      reason: 'Gave up after 9 attempts: as the vendor says',
    });
    expect(decide({ ...tried, vendor: 'apns' }, refusal('retryable')).kind).toBe('retry');
    const asked = refusal('retryable', 2 * HOUR);
    expect(decide({ attempt: 1 }, asked)).toMatchObject({ reason: 'Gave up after 1 attempt: as the vendor says' });
  });

  it('repeats a call without an answer once, and remembers it through other refusals', () => {
    expect(decide({}, refusal('ambiguous'))).toEqual({ kind: 'retry', delayMs: 2 * SECOND, isUnanswered: true });
    expect(decide({}, refusal('retryable'))).toMatchObject({ isUnanswered: false });
    const isUnanswered = true;
    expect(decide({ isUnanswered }, refusal('retryable'))).toMatchObject({ kind: 'retry', isUnanswered: true });
    expect(decide({ isUnanswered }, refusal('ambiguous'))).toMatchObject({ kind: 'failed', code: 'CODE' });
    expect(decide({ isUnanswered }, { kind: 'accepted', vendorMessageId: null }).kind).toBe('sent');
  });

  it('never plans a retry before Retry-After, past the expiry, or with a delay that is not whole', () => {
    const cases = fc.record({
      vendor: fc.constantFrom(...PUSH_VENDORS),
      kind: fc.constantFrom('throttled' as const, 'retryable' as const, 'ambiguous' as const),
      retryAfterMs: fc.option(fc.integer({ min: 0, max: 48 * HOUR })),
      attempt: fc.integer({ min: 1, max: 30_000 }),
      livesForMs: fc.integer({ min: -HOUR, max: 48 * HOUR }),
      random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      timeScale: fc.double({ min: 0, max: 1_000, noNaN: true }),
    });
    fc.assert(
      fc.property(cases, ({ vendor, kind, retryAfterMs, attempt, livesForMs, random, timeScale }) => {
        const delivery = { vendor, attempt, expiresAt: NOW + livesForMs };
        const step = decide(delivery, refusal(kind, retryAfterMs), random, timeScale);
        if (step.kind !== 'retry') return;
        expect(Number.isInteger(step.delayMs)).toBe(true);
        expect(step.delayMs).toBeLessThan(livesForMs);
        if (kind !== 'ambiguous') expect(step.delayMs).toBeGreaterThanOrEqual(retryAfterMs ?? 0);
      }),
    );
  });
});
