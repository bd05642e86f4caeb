import { readTwilioAnswer } from './read-twilio-answer';

const NOW = new Date('2026-01-01T00:00:00Z');
const answer = (
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): ReturnType<typeof readTwilioAnswer> =>
  readTwilioAnswer(
    { kind: 'answer', status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) },
    NOW,
  );

describe("Twilio's answer", () => {
  it('takes an SMS', () => {
    expect(answer(201, { sid: 'SM1', status: 'queued' })).toEqual({ kind: 'accepted', vendorMessageId: 'SM1' });
  });

  it.each([
    ['config', [20003, 20005, 20008, 20404, 21212, 21603, 21606, 21608, 21703, 21704, 21705]],
    ['recipient_invalid', [21211, 21214, 21217, 21408, 21610, 21612, 21614, 21635]],
    ['request_invalid', [21602, 21604, 21605, 21617, 21619, 21621]],
    ['throttled', [14107, 20429, 21611, 30001, 63038]],
    ['retryable', [20503]],
    ['ambiguous', [20500]],
  ])('means %s by code', (kind, codes) => {
    for (const code of codes) {
      expect(answer(400, { code, message: 'why', status: 400 })).toMatchObject({
        kind,
        code: String(code),
        reason: 'why',
      });
    }
  });

  it.each([
    [400, 'request_invalid'],
    [401, 'config'],
    [403, 'config'],
    [404, 'config'],
    [408, 'ambiguous'],
    [429, 'throttled'],
    [500, 'ambiguous'],
    [502, 'ambiguous'],
    [503, 'retryable'],
    [504, 'ambiguous'],
    [302, 'config'],
    [200, 'ambiguous'],
    [201, 'ambiguous'],
  ])('HTTP %i from a proxy means %s', (status, kind) => {
    expect(answer(status, '<html>')).toMatchObject({ kind });
  });

  it('carries Retry-After', () => {
    expect(answer(429, { code: 20429 }, { 'retry-after': '30' })).toMatchObject({
      retryAfterMs: 30_000,
      scope: 'route',
    });
  });

  it('with a message that has failed already is a refusal', () => {
    const body = { sid: 'SM1', status: 'failed', error_code: 21610, error_message: 'opted out' };
    expect(answer(201, body)).toEqual({ kind: 'recipient_invalid', code: '21610', reason: 'opted out' });
  });

  it('that never came leaves it open, unless nothing was sent', () => {
    const failure = { code: 'X', reason: 'y' };
    expect(readTwilioAnswer({ kind: 'unanswered', ...failure }, NOW)).toEqual({ kind: 'ambiguous', ...failure });
    expect(readTwilioAnswer({ kind: 'unsent', ...failure }, NOW)).toMatchObject({ kind: 'retryable' });
    expect(readTwilioAnswer({ kind: 'unsent', code: 'PRIVATE_ADDRESS', reason: 'y' }, NOW)).toMatchObject({
      kind: 'config',
    });
  });
});
