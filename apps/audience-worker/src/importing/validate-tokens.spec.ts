import type { SendOutcome } from '@postrider/domain';
import { CallPace, validateTokens } from './validate-tokens';

const ACCEPTED: SendOutcome = { kind: 'accepted', vendorMessageId: null };
const DEAD: SendOutcome = { kind: 'token_invalid', code: 'UNREGISTERED', reason: 'gone' };
const DOWN: SendOutcome = { kind: 'retryable', code: 'UNAVAILABLE', reason: 'down', retryAfterMs: null };
const FAST: SendOutcome = {
  kind: 'throttled',
  code: 'QUOTA_EXCEEDED',
  reason: 'fast',
  scope: 'route',
  retryAfterMs: 1,
};
const SILENT: SendOutcome = { kind: 'ambiguous', code: 'NO_ANSWER', reason: 'silence' };
const BODY: SendOutcome = { kind: 'request_invalid', code: 'INVALID_ARGUMENT', reason: 'our mistake' };
const REFUSED: SendOutcome = { kind: 'config', code: 'PERMISSION_DENIED', reason: 'wrong key' };

/** A vendor that gives each token its answers in turn, the last one again and again. */
function vendor(answers: Record<string, SendOutcome[]>): {
  asked: string[];
  ask: Parameters<typeof validateTokens>[0];
} {
  const asked: string[] = [];
  return {
    asked,
    ask: (token, done) => {
      asked.push(token);
      const own = answers[token] ?? [ACCEPTED];
      done((own.length > 1 ? own.shift() : own[0]) ?? ACCEPTED);
    },
  };
}

const asking = (signal = new AbortController().signal): Parameters<typeof validateTokens>[2] => ({
  pace: new CallPace(1_000_000),
  signal,
  timeScale: 0,
});

async function kindsOf(answers: Record<string, SendOutcome[]>): Promise<{ kinds: object; asked: string[] }> {
  const { ask, asked } = vendor(answers);
  const verdicts = await validateTokens(ask, Object.keys(answers), asking());
  return { kinds: Object.fromEntries([...(verdicts ?? [])].map(([token, { kind }]) => [token, kind])), asked };
}

describe('validating vendor tokens', () => {
  it('holds against a token only what the vendor says of it', async () => {
    const { kinds, asked } = await kindsOf({ a: [ACCEPTED], b: [DEAD], c: [BODY] });
    expect(kinds).toEqual({ a: 'valid', b: 'invalid', c: 'unanswered' });
    expect(asked).toEqual(['a', 'b', 'c']);
  });

  it('goes on after a device that needs a key which others do not need', async () => {
    const foreign: SendOutcome = { kind: 'config', code: 'THIRD_PARTY_AUTH_ERROR', reason: 'no key of APNs' };
    const { kinds, asked } = await kindsOf({ a: [foreign], b: [DEAD], c: [ACCEPTED] });
    expect(kinds).toEqual({ a: 'unanswered', b: 'invalid', c: 'valid' });
    expect(asked).toEqual(['a', 'b', 'c']);
  });

  it('asks again about what got an error, no answer, or was too fast, four times at most', async () => {
    const { kinds, asked } = await kindsOf({ a: [DOWN, ACCEPTED], b: [SILENT, DEAD], c: [DOWN] });
    expect(kinds).toEqual({ a: 'valid', b: 'invalid', c: 'unanswered' });
    expect(asked.filter((token) => token === 'c')).toHaveLength(4);
    expect(asked.filter((token) => token !== 'c')).toEqual(['a', 'b', 'a', 'b']);
  });

  it('asks about no more tokens once the vendor says that it is too fast, and about all of them after the wait', async () => {
    const { kinds, asked } = await kindsOf({ a: [FAST, ACCEPTED], b: [DEAD], c: [ACCEPTED] });
    expect(asked).toEqual(['a', 'a', 'b', 'c']);
    expect(kinds).toEqual({ a: 'valid', b: 'invalid', c: 'valid' });
  });

  it('asks no further when the credentials are refused, and says why nothing is known', async () => {
    const { ask, asked } = vendor({ a: [ACCEPTED], b: [REFUSED] });
    const verdicts = await validateTokens(ask, ['a', 'b', 'c'], asking());
    expect(asked).toEqual(['a', 'b']);
    expect(verdicts?.get('a')).toEqual({ kind: 'valid' });
    expect(verdicts?.get('c')).toEqual({ kind: 'unanswered', code: 'PERMISSION_DENIED', reason: 'wrong key' });
  });

  it('ends without verdicts when the process stops', async () => {
    const stopping = new AbortController();
    const { ask } = vendor({ a: [DOWN] });
    const ended = validateTokens(
      (token, done) => {
        ask(token, done);
        stopping.abort();
      },
      ['a', 'b'],
      asking(stopping.signal),
    );
    expect(await ended).toBeNull();
  });

  it('lets calls begin one after the other, never more than a tenth of a second of them at once', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick'] });
    try {
      // Timers of "node:timers/promises" are not faked.
      const pace = new CallPace(100, (ms) => new Promise((over) => setTimeout(() => over(true), ms)));
      const { signal } = new AbortController();
      let begun = 0;
      const all = (async () => {
        for (let n = 0; n < 50; n++) if (await pace.next(signal)) begun += 1;
      })();
      await jest.advanceTimersByTimeAsync(0);
      expect(begun).toBeLessThanOrEqual(11);
      await jest.advanceTimersByTimeAsync(1_000);
      await all;
      expect(begun).toBe(50);
    } finally {
      jest.useRealTimers();
    }
  });
});
