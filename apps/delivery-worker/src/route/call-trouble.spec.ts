import { type CallOutcome, CallTrouble, errorsOf } from './call-trouble';

const ACCEPTED: CallOutcome = { kind: 'accepted', vendorMessageId: null };
const DOWN: CallOutcome = { kind: 'retryable', code: 'HTTP_503', reason: 'down', retryAfterMs: null };
const throttled = (scope: 'route' | 'token'): CallOutcome => ({
  kind: 'throttled',
  code: 'HTTP_429',
  reason: 'too fast',
  scope,
  retryAfterMs: null,
});

describe('the trouble of a route', () => {
  /** Makes one call after the other, each of which takes no time. */
  const after = (...outcomes: (readonly [at: number, outcome: CallOutcome])[]): CallTrouble => {
    const calls = new CallTrouble();
    for (const [at, outcome] of outcomes) {
      calls.begun(at);
      calls.answered(outcome, at, 0);
    }
    return calls;
  };

  it('is a failure when calls brought nothing else for three seconds, with the latest error', () => {
    const calls = after([1_000, DOWN], [2_000, throttled('route')]);
    expect(calls.failingAt(3_999)).toBeNull();
    expect(calls.failingAt(4_000)).toEqual({
      since: 1_000,
      error: { kind: 'throttled', code: 'HTTP_429', reason: 'too fast', at: new Date(2_000) },
    });
  });

  it.each<[string, CallOutcome]>([
    ['an accepted message', ACCEPTED],
    ['a dead token', { kind: 'token_invalid', code: 'UNREGISTERED', reason: 'gone' }],
    ['a bad message', { kind: 'request_invalid', code: 'INVALID', reason: 'no' }],
    ['a bad number', { kind: 'recipient_invalid', code: '21211', reason: 'no' }],
  ])('is over with a proper answer: %s', (_, outcome) => {
    const calls = after([1_000, DOWN], [2_000, outcome]);
    expect(calls.failingAt(60_000)).toBeNull();
    expect(calls.lastError).toMatchObject({ code: 'HTTP_503' });
    calls.answered(DOWN, 70_000, 0);
    expect(calls.failingAt(72_999)).toBeNull();
  });

  it('is none if only one token is asked for too often', () => {
    const calls = after([1_000, throttled('token')]);
    expect([calls.failingAt(60_000), calls.lastError]).toEqual([null, null]);
  });

  it('begins with the call that took long to fail', () => {
    const calls = new CallTrouble();
    calls.begun(1_000);
    calls.answered(DOWN, 11_000, 0);
    expect(calls.failingAt(11_000)).toMatchObject({ since: 1_000, error: { code: 'HTTP_503' } });
  });

  it('is silence when nothing was answered for four seconds, counted from the last answer', () => {
    const calls = new CallTrouble();
    calls.begun(1_000);
    calls.begun(2_000);
    expect(calls.failingAt(4_999)).toBeNull();
    expect(calls.failingAt(5_500)).toEqual({
      since: 1_000,
      error: { kind: 'ambiguous', code: 'NO_ANSWER', reason: 'Nothing was answered for 4 s', at: new Date(5_500) },
    });
    calls.answered(ACCEPTED, 6_000, 1);
    expect(calls.failingAt(9_999)).toBeNull();
    expect(calls.failingAt(10_000)).toMatchObject({ since: 6_000 });
    calls.answered(ACCEPTED, 10_000, 0);
    expect(calls.failingAt(60_000)).toBeNull();
  });

  it('is forgotten with other credentials, except that calls under way are still under way', () => {
    const calls = after([1_000, DOWN]);
    calls.begun(2_000);
    calls.reset();
    expect([calls.failingAt(5_000), calls.lastError]).toEqual([null, null]);
    expect(calls.failingAt(6_000)).toMatchObject({ since: 2_000, error: { code: 'NO_ANSWER' } });
  });
});

describe('the latest error of a route', () => {
  it.each([
    ['a cut leaves half of a pair', `${'x'.repeat(499)}\u{1f600}`, 'x'.repeat(499)],
    ['the vendor, or an earlier cut, left half of a pair or NUL', 'busy \ud83d and \0', 'busy  and '],
    ['nothing is wrong', 'busy \u{1f600}', 'busy \u{1f600}'],
  ])('can be stored as JSON where %s', (_, reason, shown) => {
    const calls = new CallTrouble();
    calls.begun(0);
    calls.answered({ kind: 'retryable', code: 'HTTP_503', reason, retryAfterMs: null }, 1, 0);
    expect(errorsOf(calls, null, 2).lastError).toMatchObject({ code: 'HTTP_503', reason: shown });
  });

  it('is that of the hold or of the calls, whichever came later', () => {
    const calls = new CallTrouble();
    calls.answered(DOWN, 1_000, 0);
    const held = { kind: 'config', code: 'AUTH', reason: 'wrong key' };
    const codeWith = (at: number): unknown => errorsOf(calls, { ...held, at: new Date(at) }, 2_000).lastError?.code;
    expect([codeWith(900), codeWith(1_100)]).toEqual(['HTTP_503', 'AUTH']);
    expect(errorsOf(calls, null, 2_000).failingSince).toBeNull();
    expect(errorsOf(calls, null, 4_000).failingSince).toEqual(new Date(1_000));
    expect(errorsOf(new CallTrouble(), null, 4_000)).toEqual({ lastError: null, failingSince: null });
  });
});
