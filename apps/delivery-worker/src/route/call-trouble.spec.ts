import { CallTrouble, errorsOf } from './call-trouble';

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
});
