import { TestClock } from '@postrider/testing';
import { SMS_CONNECTIONS, type SmsOutcome, type SmsSender } from '@postrider/vendors';
import { SmsRoute } from './sms-route';

const ACCEPTED: SmsOutcome = { kind: 'accepted', vendorMessageId: null };
const NO_CREDIT: SmsOutcome = { kind: 'config', code: '418', reason: 'no credit' };

function why({ code, reason }: Extract<SmsOutcome, { code: string }>): { code: string; reason: string } {
  return { code, reason };
}

describe("an application's way to its SMS provider", () => {
  let clock: TestClock;

  beforeEach(() => (clock = new TestClock(0)));

  /** Lets time pass until this millisecond. */
  const at = (ms: number): void => clock.goTo(new Date(ms));

  it('has room for so many calls at a time', () => {
    const route = new SmsRoute('shop', clock, 1);
    expect([route.acquire(10), route.acquire(10), route.acquire(1)]).toEqual([10, SMS_CONNECTIONS - 10, 0]);
    route.release(3);
    expect(route.acquire(10)).toBe(3);
  });

  it('tells those who wait for room that a call has ended', async () => {
    const route = new SmsRoute('shop', clock, 1);
    route.acquire(2);
    const released: string[] = [];
    const waiting = ['one', 'other'].map((name) => route.nextReleased().then(() => released.push(name)));
    route.release(0);
    await Promise.resolve();
    expect(released).toEqual([]);
    route.release(1);
    await Promise.all(waiting);
    expect(route.inFlight).toBe(1);
  });

  it('is held while the account is at fault, longer each time, and tells it once', () => {
    const route = new SmsRoute('shop', clock, 1);
    expect(route.recordOutcome(NO_CREDIT)).toMatchObject({ until: 15_000, code: '418' });
    at(10);
    expect(route.recordOutcome(NO_CREDIT)).toBeNull();
    at(14_999);
    expect(route.currentHold()).toMatchObject({ reason: 'no credit' });
    at(15_000);
    expect([route.currentHold(), route.isHalfOpen]).toEqual([null, true]);
    expect([route.acquire(10), route.acquire(1)]).toEqual([1, 0]);
    expect(route.recordOutcome(NO_CREDIT)).toMatchObject({ until: 45_000 });
    at(46_000);
    route.recordOutcome(ACCEPTED);
    expect([route.currentHold(), route.isHalfOpen]).toEqual([null, false]);
    at(50_000);
    expect(route.recordOutcome(NO_CREDIT)).toMatchObject({ until: 65_000 });
  });

  it("waits as long as the provider asks for, and is not held for one SMS's fault", () => {
    const route = new SmsRoute('shop', clock, 0);
    const busy: SmsOutcome = { kind: 'throttled', code: '20429', reason: 'x', scope: 'route', retryAfterMs: 90_000 };
    expect(route.recordOutcome({ kind: 'recipient_invalid', code: '21211', reason: 'x' })).toBeNull();
    expect(route.recordOutcome({ kind: 'ambiguous', code: 'x', reason: 'x' })).toBeNull();
    expect(route.recordOutcome(busy)).toMatchObject({ until: 90_000 });
  });

  it('is held when three calls in a row get no answer, and asks once after each hold', () => {
    const route = new SmsRoute('shop', clock, 1);
    const silent: SmsOutcome = { kind: 'ambiguous', code: 'DEADLINE', reason: 'no answer' };
    const answered: SmsOutcome = { kind: 'recipient_invalid', code: '21211', reason: 'x' };
    expect([silent, silent, answered, silent, silent].map((one) => route.recordOutcome(one))).toEqual(
      Array(5).fill(null),
    );
    expect(route.recordOutcome(silent)).toMatchObject({ until: 15_000, code: 'DEADLINE' });
    at(15_000);
    expect([route.acquire(10), route.recordOutcome(silent)]).toEqual([1, { until: 45_000, ...why(silent) }]);
    at(45_000);
    route.recordOutcome(ACCEPTED);
    expect([route.currentHold(), route.isHalfOpen]).toEqual([null, false]);
  });

  it('is held for a reason of ours for as long as it is told', () => {
    const route = new SmsRoute('shop', clock, 1);
    route.holdFor(500, 'secret', 'it cannot be opened');
    at(499);
    expect(route.currentHold()).toEqual({ until: 500, code: 'secret', reason: 'it cannot be opened' });
    at(500);
    expect(route.currentHold()).toBeNull();
  });

  it('forgets with other credentials what the former ones met with', () => {
    const route = new SmsRoute('shop', clock, 1);
    const sender = { provider: 'twilio' } as SmsSender;
    route.reset(sender, '1', true);
    expect(route).toMatchObject({ sender, revision: '1', resendsUnknown: true, isKnownToWork: false });
    route.isKnownToWork = true;
    route.recordOutcome(NO_CREDIT);
    route.reset(null, null);
    expect(route).toMatchObject({ sender: null, revision: null, resendsUnknown: false, isKnownToWork: false });
    expect([route.currentHold(), route.isHalfOpen]).toEqual([null, false]);
  });

  it('returns what its sender answers, and passes on what it throws', async () => {
    const route = new SmsRoute('shop', clock, 1);
    const now = (): number => 0;
    expect(await route.call(() => Promise.resolve(NO_CREDIT), now)).toBe(NO_CREDIT);
    await expect(route.call(() => Promise.reject(new Error('closed')), now)).rejects.toThrow('closed');
  });
});
