import { DAY_MS } from '@postrider/domain';
import { TestClock } from '@postrider/testing';
import { AccessTokenSource, readTokenAnswer, type TokenResult } from './access-token-source';

describe('an access token', () => {
  /** A source whose authority gives tokens that live this long; and how often it was asked. */
  function sourceOf(lifeSeconds: number): { tokens: AccessTokenSource; clock: TestClock; asked: () => number } {
    const clock = new TestClock(Date.parse('2026-01-01T00:00:00Z'));
    let asked = 0;
    const fetchToken = (): Promise<TokenResult> => {
      asked++;
      return Promise.resolve({ kind: 'token', value: `token ${asked}`, lifeMs: lifeSeconds * 1_000 });
    };
    return { tokens: new AccessTokenSource(fetchToken, clock), clock, asked: () => asked };
  }

  it('that lives an hour is replaced five minutes before its end, by one request, while it still works', async () => {
    const { tokens, clock, asked } = sourceOf(3_600);
    await tokens.fresh();
    clock.advance(3_299_000);
    expect([tokens.current(), asked()]).toEqual(['token 1', 1]);
    clock.advance(1_000);
    expect([tokens.current(), tokens.current(), asked()]).toEqual(['token 1', 'token 1', 2]);
    await tokens.fresh();
    expect(tokens.current()).toBe('token 2');
  });

  it('that lives a few minutes is replaced after half of its life, and not with every send', async () => {
    const { tokens, clock, asked } = sourceOf(120);
    await tokens.fresh();
    for (let second = 0; second < 59; second++) {
      expect(tokens.current()).toBe('token 1');
      await Promise.resolve();
      clock.advance(1_000);
    }
    expect(asked()).toBe(1);
    clock.advance(1_000);
    expect([tokens.current(), asked()]).toEqual(['token 1', 2]);
  });

  it('that has ended is not used any more', async () => {
    const { tokens, clock } = sourceOf(3_600);
    await tokens.fresh();
    clock.advance(3_600_000);
    expect(tokens.current()).toBeNull();
    await tokens.fresh();
    expect(tokens.current()).toBe('token 2');
  });

  it('that has ended is not used any more if the time of day was set back', async () => {
    const { tokens, clock } = sourceOf(3_600);
    await tokens.fresh();
    clock.setBack(DAY_MS);
    clock.advance(3_600_000);
    expect(tokens.current()).toBeNull();
  });

  it('is asked for again soon after a failure if the time of day was set back', async () => {
    const clock = new TestClock();
    const failure: TokenResult = { kind: 'retryable', code: 'TOKEN_HTTP_503', reason: 'busy', retryAfterMs: null };
    const fetchToken = jest.fn(() => Promise.resolve(failure));
    const tokens = new AccessTokenSource(fetchToken, clock);
    await tokens.fresh();
    clock.setBack(DAY_MS);
    await tokens.fresh();
    expect(fetchToken).toHaveBeenCalledTimes(1);
    clock.advance(1_000);
    await tokens.fresh();
    expect(fetchToken).toHaveBeenCalledTimes(2);
  });
});

describe('the life of a token in the answer of an authority', () => {
  const now = new Date('2026-01-01T00:00:00Z');
  const lifeSeconds = (expiresIn: string): number => {
    const body = `{"access_token":"t","expires_in":${expiresIn}}`;
    const result = readTokenAnswer({ kind: 'answer', status: 200, headers: {}, body }, now);
    if (result.kind !== 'token') throw new Error(result.reason);
    return result.lifeMs / 1_000;
  };

  it.each(['1e999', '1e300', '1e14'])('is a day at most if the authority says %s seconds', (expiresIn) => {
    expect(lifeSeconds(expiresIn)).toBe(86_400);
  });

  it.each(['null', '0', '-1e999', '"soon"'])('is an hour if the authority says %s', (expiresIn) => {
    expect(lifeSeconds(expiresIn)).toBe(3_600);
  });
});

describe('an answer of an authority with a token that no header can carry', () => {
  it.each(['a\nb', 'a b', 'ä', 'a\u0000', '\u200b'])('has no token, and passes: %j', (token) => {
    const body = JSON.stringify({ access_token: token, expires_in: 3_600 });
    const result = readTokenAnswer({ kind: 'answer', status: 200, headers: {}, body }, new Date());
    expect(result).toMatchObject({ kind: 'retryable', code: 'TOKEN_HTTP_200' });
  });

  it.each(['ya29.a0-_~+/b==', 'x'])('is taken as it is otherwise: %j', (token) => {
    const body = JSON.stringify({ access_token: token, expires_in: 3_600 });
    const result = readTokenAnswer({ kind: 'answer', status: 200, headers: {}, body }, new Date());
    expect(result).toMatchObject({ kind: 'token', value: token });
  });
});
