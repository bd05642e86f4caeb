import { HOUR_MS, type SendOutcome } from '@postrider/domain';
import { TestClock } from '@postrider/testing';
import { Breaker, SMS_BREAKER, WEB_PUSH_BREAKER } from './breaker';

const accepted: SendOutcome = { kind: 'accepted', vendorMessageId: null };
const refused: SendOutcome = { kind: 'config', code: 'AUTH', reason: 'wrong key' };
const down: SendOutcome = { kind: 'retryable', code: '503', reason: 'down', retryAfterMs: null };

function fail(breaker: Breaker, times: number, outcome = down): void {
  for (let n = 0; n < times; n++) breaker.record(outcome);
}

describe('a route breaker', () => {
  let clock: TestClock;

  beforeEach(() => (clock = new TestClock(0)));

  /** Lets time pass until this millisecond. */
  const at = (ms: number): void => clock.goTo(new Date(ms));

  it('opens at the first refused credential when nothing ever worked', () => {
    const breaker = new Breaker(clock, 1);
    expect(breaker.record(refused)).toBe('opened');
    at(1_999);
    expect(breaker.isHolding).toBe(true);
    at(2_000);
    expect(breaker.isHolding).toBe(false);
    expect(breaker.state).toBe('open');
    breaker.advance();
    expect(breaker.state).toBe('half-open');
  });

  it('learns nothing from what was not handed over: it neither opens nor closes', () => {
    const breaker = new Breaker(clock, 1);
    breaker.record(refused);
    at(2_000);
    breaker.advance();
    expect(breaker.record({ kind: 'expired', code: 'EXPIRED', reason: 'too late' })).toBeNull();
    expect(breaker.state).toBe('half-open');
  });

  it('takes one odd refusal between good answers for one device’s', () => {
    const breaker = new Breaker(clock, 1);
    breaker.record(accepted);
    expect(breaker.record(refused)).toBeNull();
    breaker.record(accepted);
    expect(breaker.record(refused)).toBeNull();
    expect(breaker.record(refused)).toBeNull();
    expect(breaker.record(refused)).toBe('opened');
  });

  it('opens after twenty troubles in a row, not when something is taken between', () => {
    const breaker = new Breaker(clock, 1);
    fail(breaker, 19);
    breaker.record(accepted);
    fail(breaker, 19);
    expect(breaker.state).toBe('closed');
    expect(breaker.record(down)).toBe('opened');
  });

  it('counts no trouble that is one token’s', () => {
    const breaker = new Breaker(clock, 1);
    fail(breaker, 100, { kind: 'throttled', code: '429', reason: 'slow', scope: 'token', retryAfterMs: null });
    expect(breaker.state).toBe('closed');
  });

  it('holds twice as long each time the vendor still does not work, half a minute at most', () => {
    const breaker = new Breaker(clock, 1);
    const holds: number[] = [];
    breaker.record(refused);
    while (holds.length < 6) {
      holds.push(breaker.openUntil - clock.steadyMs());
      at(breaker.openUntil);
      breaker.advance();
      expect(breaker.record(down)).toBe('opened');
    }
    expect(holds).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });

  it('keeps to the vendor’s Retry-After, and does not scale it', () => {
    const breaker = new Breaker(clock, 0);
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
      const breaker = new Breaker(clock, 0, WEB_PUSH_BREAKER);
      fail(breaker, 20, slow(askedMs));
      return breaker.openUntil;
    });
    expect(breakers).toEqual([7_000, 30_000, 30_000, 30_000]);
  });

  it('closes with the first proper answer, and begins anew', () => {
    const breaker = new Breaker(clock, 1);
    breaker.record(refused);
    at(2_000);
    breaker.advance();
    expect(breaker.record(accepted)).toBe('closed');
    fail(breaker, 19);
    expect(breaker.state).toBe('closed');
  });

  it('does not count what was still in flight when it opened', () => {
    const breaker = new Breaker(clock, 1);
    fail(breaker, 500);
    expect(breaker.openUntil).toBe(2_000);
  });

  it('of a provider of SMS opens at the first complaint about the account and at no other answer', () => {
    const breaker = new Breaker(clock, 1, SMS_BREAKER);
    breaker.record(accepted);
    fail(breaker, 100);
    expect(breaker.record({ kind: 'ambiguous', code: 'NO_ANSWER', reason: 'silence' })).toBeNull();
    expect(breaker.state).toBe('closed');
    expect(breaker.record(refused)).toBe('opened');
    expect(breaker.openUntil).toBe(15_000);
  });

  it('of a provider of SMS closes with an SMS that was taken, also with one from before the hold, and with no other answer', () => {
    const breaker = new Breaker(clock, 1, SMS_BREAKER);
    breaker.record(refused);
    at(10);
    expect(breaker.record({ kind: 'recipient_invalid', code: '21211', reason: 'no such number' })).toBeNull();
    expect(breaker.state).toBe('open');
    at(20);
    breaker.record(accepted);
    expect(breaker.state).toBe('closed');
  });

  it('holds as long as it is told to when there is nothing to send with, and not longer the next time', () => {
    const breaker = new Breaker(clock, 1, SMS_BREAKER);
    breaker.holdFor(7_000);
    at(6_999);
    const isHolding = [breaker.isHolding];
    at(7_000);
    expect([...isHolding, breaker.isHolding]).toEqual([true, false]);
    breaker.reset();
    at(8_000);
    breaker.record(refused);
    expect(breaker.openUntil).toBe(23_000);
  });

  it('of a provider of SMS holds ten minutes at most', () => {
    const breaker = new Breaker(clock, 1, SMS_BREAKER);
    for (let n = 0; n < 10; n++) {
      at(breaker.openUntil);
      breaker.advance();
      breaker.record(refused);
    }
    expect(breaker.openUntil - clock.steadyMs()).toBe(600_000);
  });

  it('holds no longer when the time of day is set back meanwhile, and says when it ends by the new time', () => {
    at(HOUR_MS);
    const breaker = new Breaker(clock, 1);
    breaker.record(refused);
    clock.setBack(HOUR_MS);
    expect(breaker.openUntil).toBe(2_000);
    clock.advance(2_000);
    expect(breaker.isHolding).toBe(false);
  });

  it('takes credentials for good that another worker has seen work', () => {
    const breaker = new Breaker(clock, 1);
    expect(breaker.hasWorked).toBe(false);
    breaker.noteWorked();
    expect(breaker.hasWorked).toBe(true);
    expect(breaker.record(refused)).toBeNull();
  });

  it('ends its hold when it is told to, and holds no longer than at first when the vendor still does not work', () => {
    const breaker = new Breaker(clock, 1);
    breaker.record(refused);
    at(2_000);
    breaker.advance();
    breaker.record(refused);
    expect(breaker.openUntil).toBe(6_000);
    at(2_500);
    breaker.tryNow();
    expect(breaker.isHolding).toBe(false);
    breaker.advance();
    expect(breaker.state).toBe('half-open');
    at(2_600);
    breaker.tryNow();
    breaker.record(refused);
    expect(breaker.openUntil).toBe(4_600);
  });

  it('forgets everything when the credentials change', () => {
    const breaker = new Breaker(clock, 1);
    breaker.record(accepted);
    fail(breaker, 20);
    breaker.reset();
    expect(breaker).toMatchObject({ state: 'closed', isHolding: false, hasWorked: false });
    fail(breaker, 19);
    expect(breaker.state).toBe('closed');
    expect(breaker.record(down)).toBe('opened');
    expect(breaker.openUntil).toBe(2_000);
  });
});
