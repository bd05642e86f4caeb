import { readKavenegarAnswer } from './read-kavenegar-answer';

const NOW = new Date('2026-01-01T00:00:00Z');
const answer = (status: number, body: unknown): ReturnType<typeof readKavenegarAnswer> =>
  readKavenegarAnswer(
    { kind: 'answer', status, headers: {}, body: typeof body === 'string' ? body : JSON.stringify(body) },
    NOW,
  );

describe("Kavenegar's answer", () => {
  it('takes an SMS', () => {
    const body = { return: { status: 200, message: 'ok' }, entries: [{ messageid: 8792343, status: 1 }] };
    expect(answer(200, body)).toEqual({ kind: 'accepted', vendorMessageId: '8792343' });
  });

  it.each([
    ['config', [401, 403, 404, 405, 407, 412, 416, 418, 424, 426, 430, 432]],
    ['recipient_invalid', [411]],
    ['request_invalid', [400, 406, 413, 414, 417, 419, 422, 428, 431]],
    ['retryable', [402, 409, 503]],
    ['throttled', [429]],
    ['ambiguous', [500, 502, 504]],
  ])('means %s by status, wherever it stands', (kind, codes) => {
    for (const code of codes) {
      const body = { return: { status: code, message: 'why' }, entries: null };
      for (const http of [200, code]) {
        expect(answer(http, body)).toMatchObject({ kind, code: String(code), reason: 'why' });
      }
    }
  });

  it.each([
    ['a page of a proxy', '<html>'],
    ['nothing', ''],
    ['no entries', { return: { status: 200 }, entries: null }],
    ['an entry that is none', { return: { status: 200 }, entries: ['x'] }],
  ])('with %s leaves it open', (_name, body) => {
    expect(answer(200, body)).toMatchObject({ kind: 'ambiguous', code: 'unreadable_answer' });
  });
});
