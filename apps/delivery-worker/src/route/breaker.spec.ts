import type { SendOutcome } from '@postrider/domain';
import { Breaker, SMS_BREAKER, WEB_PUSH_BREAKER } from './breaker';

const accepted: SendOutcome = { kind: 'accepted', vendorMessageId: null };
const refused: SendOutcome = { kind: 'config', code: 'AUTH', reason: 'wrong key' };
const down: SendOutcome = { kind: 'retryable', code: '503', reason: 'down', retryAfterMs: null };

function fail(breaker: Breaker, times: number, outcome = down): void {
  for (let n = 0; n < times; n++) breaker.record(outcome, 0);
}

describe('a route breaker', () => {
  it('opens at the first refused credential when nothing ever worked', () => {
    const breaker = new Breaker(1);
    expect(breaker.record(refused, 0)).toBe('opened');
    expect(breaker.isHolding(1_999)).toBe(true);
    expect(breaker.isHolding(2_000)).toBe(false);
    expect(breaker.state).toBe('open');
    breaker.advance(2_000);
    expect(breaker.state).toBe('half-open');
  });

  it('learns nothing from what was not handed over: it neither opens nor closes', () => {
    const breaker = new Breaker(1);
    breaker.record(refused, 0);
    breaker.advance(2_000);
    expect(breaker.record({ kind: 'expired', code: 'EXPIRED', reason: 'too late' }, 2_000)).toBeNull();
    expect(breaker.state).toBe('half-open');
  });

  it('takes one odd refusal between good answers for one device’s', () => {
    const breaker = new Breaker(1);
    breaker.record(accepted, 0);
    expect(breaker.record(refused, 0)).toBeNull();
    breaker.record(accepted, 0);
    expect(breaker.record(refused, 0)).toBeNull();
    expect(breaker.record(refused, 0)).toBeNull();
    expect(breaker.record(refused, 0)).toBe('opened');
  });

  it('opens after twenty troubles in a row, not when something is taken between', () => {
    const breaker = new Breaker(1);
    fail(breaker, 19);
    breaker.record(accepted, 0);
    fail(breaker, 19);
    expect(breaker.state).toBe('closed');
    expect(breaker.record(down, 0)).toBe('opened');
  });

  it('counts no trouble that is one token’s', () => {
    const breaker = new Breaker(1);
    fail(breaker, 100, { kind: 'throttled', code: '429', reason: 'slow', scope: 'token', retryAfterMs: null });
    expect(breaker.state).toBe('closed');
  });

  it('holds twice as long each time the vendor still does not work, half a minute at most', () => {
    const breaker = new Breaker(1);
    const holds: number[] = [];
    breaker.record(refused, 0);
    for (let now = 0; holds.length < 6;) {
      holds.push(breaker.openUntil - now);
      now = breaker.openUntil;
      breaker.advance(now);
      expect(breaker.record(down, now)).toBe('opened');
    }
    expect(holds).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });

  it('keeps to the vendor’s Retry-After, and does not scale it', () => {
    const breaker = new Breaker(0);
    const slow: SendOutcome = { kind: 'throttled', code: '429', reason: 'slow', scope: 'route', retryAfterMs: 7_000 };
    fail(breaker, 20, slow);
    expect(breaker.openUntil).toBe(7_000);
  });

  it('lets no push service that a device names hold the others for longer than half a minute', () => {
    const slow = (retryAfterMs: number): SendOutcome => ({
      ...{ kind: 'throttled', code: 'HTTP_429', reason: 'slow', scope: 'route' },
      retryAfterMs,
    });
    const breakers = [7_000, 30_000, 30_001, 21_600_000].map((askedMs) => {
      const breaker = new Breaker(0, WEB_PUSH_BREAKER);
      fail(breaker, 20, slow(askedMs));
      return breaker.openUntil;
    });
    expect(breakers).toEqual([7_000, 30_000, 30_000, 30_000]);
  });

  it('closes with the first proper answer, and begins anew', () => {
    const breaker = new Breaker(1);
    breaker.record(refused, 0);
    breaker.advance(2_000);
    expect(breaker.record(accepted, 2_000)).toBe('closed');
    fail(breaker, 19);
    expect(breaker.state).toBe('closed');
  });

  it('does not count what was still in flight when it opened', () => {
    const breaker = new Breaker(1);
    fail(breaker, 500);
    expect(breaker.openUntil).toBe(2_000);
  });

  it('of a provider of SMS opens at the first complaint about the account and at no other answer', () => {
    const breaker = new Breaker(1, SMS_BREAKER);
    breaker.record(accepted, 0);
    fail(breaker, 100);
    expect(breaker.record({ kind: 'ambiguous', code: 'NO_ANSWER', reason: 'silence' }, 0)).toBeNull();
    expect(breaker.state).toBe('closed');
    expect(breaker.record(refused, 0)).toBe('opened');
    expect(breaker.openUntil).toBe(15_000);
  });

  it('of a provider of SMS closes with an SMS that was taken, also with one from before the hold, and with no other answer', () => {
    const breaker = new Breaker(1, SMS_BREAKER);
    breaker.record(refused, 0);
    expect(breaker.record({ kind: 'recipient_invalid', code: '21211', reason: 'no such number' }, 10)).toBeNull();
    expect(breaker.state).toBe('open');
    breaker.record(accepted, 20);
    expect(breaker.state).toBe('closed');
  });

  it('holds as long as it is told to when there is nothing to send with, and not longer the next time', () => {
    const breaker = new Breaker(1, SMS_BREAKER);
    breaker.holdUntil(7_000);
    expect([breaker.isHolding(6_999), breaker.isHolding(7_000)]).toEqual([true, false]);
    breaker.reset();
    breaker.record(refused, 8_000);
    expect(breaker.openUntil).toBe(23_000);
  });

  it('of a provider of SMS holds ten minutes at most', () => {
    const breaker = new Breaker(1, SMS_BREAKER);
    let now = 0;
    for (let n = 0; n < 10; n++) {
      breaker.advance((now = breaker.openUntil));
      breaker.record(refused, now);
    }
    expect(breaker.openUntil - now).toBe(600_000);
  });

  it('takes credentials for good that another worker has seen work', () => {
    const breaker = new Breaker(1);
    expect(breaker.hasWorked).toBe(false);
    breaker.trust();
    expect(breaker.hasWorked).toBe(true);
    expect(breaker.record(refused, 0)).toBeNull();
  });

  it('ends its hold when it is told to, and holds no longer than at first when the vendor still does not work', () => {
    const breaker = new Breaker(1);
    breaker.record(refused, 0);
    breaker.advance(2_000);
    breaker.record(refused, 2_000);
    expect(breaker.openUntil).toBe(6_000);
    breaker.tryNow(2_500);
    expect(breaker.isHolding(2_500)).toBe(false);
    breaker.advance(2_500);
    expect(breaker.state).toBe('half-open');
    breaker.tryNow(2_600);
    breaker.record(refused, 2_600);
    expect(breaker.openUntil).toBe(4_600);
  });

  it('forgets everything when the credentials change', () => {
    const breaker = new Breaker(1);
    breaker.record(accepted, 0);
    fail(breaker, 20);
    breaker.reset();
    expect(breaker).toMatchObject({ state: 'closed', openUntil: 0, hasWorked: false });
    fail(breaker, 19);
    expect(breaker.state).toBe('closed');
    expect(breaker.record(down, 0)).toBe('opened');
    expect(breaker.openUntil).toBe(2_000);
  });
});
