import { MINUTE_MS, type SendOutcome } from '@postrider/domain';
import { TestClock } from '@postrider/testing';
import { Breaker, WEB_PUSH_BREAKER } from './breaker';
import { PushServices } from './push-services';
import { Route } from './route';

const accepted: SendOutcome = { kind: 'accepted', vendorMessageId: null };
const TROUBLE: SendOutcome[] = [
  { kind: 'ambiguous', code: 'DEADLINE', reason: 'No answer within the deadline' },
  { kind: 'retryable', code: 'UNREACHABLE', reason: 'Connecting took too long', retryAfterMs: null },
  { kind: 'throttled', code: 'HTTP_429', reason: 'slow down', scope: 'route', retryAfterMs: null },
];
const mismatch: SendOutcome = { kind: 'mismatch', code: 'HTTP_403', reason: 'another key' };

const chrome = (n = 0): string => subscription(`https://fcm.example/fcm/send/${n}`);
const firefox = (n = 0): string => subscription(`https://push.mozilla.example/wpush/v2/${n}`);

function subscription(endpoint: string): string {
  return JSON.stringify({ expirationTime: null, endpoint, keys: { p256dh: 'x', auth: 'y' } });
}

describe('the push services of an application’s browsers', () => {
  let clock: TestClock;
  let route: Route;

  beforeEach(() => {
    clock = new TestClock(0);
    const ignore = { held: () => undefined, resumed: () => undefined, putBackLate: () => undefined };
    const breaker = new Breaker(clock, 1, WEB_PUSH_BREAKER);
    route = new Route('shop', 'webpush', breaker, ignore, new PushServices(clock));
  });

  /** An answer arrives for a device. */
  function answer(token: string, outcome: SendOutcome): SendOutcome {
    const page = { attempt: 1, firstAttemptAt: clock.now() };
    const classified = route.classify(outcome, page, token, clock.now().getTime());
    route.record(classified, token);
    return classified;
  }

  function fail(count: number, outcome: SendOutcome): void {
    for (let n = 0; n < count; n++) answer(firefox(n), outcome);
  }

  it.each(TROUBLE)('go on while one of them is down: $code', (down) => {
    answer(chrome(), accepted);
    fail(500, down);
    expect(route.breaker.state).toBe('closed');
  });

  it.each(TROUBLE)('are held together when none of them works: $code', (down) => {
    answer(firefox(), accepted);
    fail(20, down);
    expect(route.breaker.state).toBe('open');
  });

  it('do not vouch for each other for longer than a minute', () => {
    answer(chrome(), accepted);
    clock.advance(MINUTE_MS);
    fail(20, TROUBLE[0] as SendOutcome);
    expect(route.breaker.state).toBe('open');
  });

  it('work again, all of them, with the first that answers after a hold', () => {
    fail(20, TROUBLE[0] as SendOutcome);
    clock.advance(2_000);
    route.breaker.advance();
    answer(chrome(), accepted);
    expect(route.breaker.state).toBe('closed');
    fail(500, TROUBLE[0] as SendOutcome);
    expect(route.breaker.state).toBe('closed');
  });

  it('do not make the credentials wrong when one of them refuses all its devices', () => {
    answer(chrome(), accepted);
    const kinds = Array.from({ length: 50 }, (_, n) => answer(firefox(n), mismatch).kind);
    expect(new Set(kinds)).toEqual(new Set(['mismatch']));
    expect(route.breaker.state).toBe('closed');
  });

  it('show that the credentials are wrong when the only one that is asked refuses all its devices', () => {
    const kinds = Array.from({ length: 50 }, (_, n) => answer(firefox(n), mismatch).kind);
    expect(kinds.slice(0, 20)).toEqual([...Array.from({ length: 19 }, () => 'mismatch'), 'config']);
    expect(route.breaker.state).toBe('open');
  });

  it('hold nobody when one has accepted a device, and then refuses all that subscribed with a former key', () => {
    answer(firefox(), accepted);
    const kinds = Array.from({ length: 50 }, (_, n) => answer(firefox(n), mismatch).kind);
    expect(new Set(kinds)).toEqual(new Set(['mismatch']));
    expect(route.breaker.state).toBe('closed');
  });

  it('show that the key pair is refused when they refuse what they have accepted with it', () => {
    for (let n = 0; n < 50; n++) answer(firefox(n), accepted);
    const kinds = Array.from({ length: 6 }, (_, n) => answer(firefox(n), mismatch).kind);
    expect(kinds).toEqual(['mismatch', 'mismatch', 'config', 'config', 'config', 'config']);
    expect(route.breaker.state).toBe('open');
  });

  it('hold nobody for subscriptions of a former key that come after a refused pair works again', () => {
    for (let n = 0; n < 10; n++) answer(firefox(n), accepted);
    fail(5, mismatch);
    expect(route.breaker.state).toBe('open');
    clock.advance(2_000);
    route.breaker.advance();
    const former = Array.from({ length: 50 }, (_, n) => answer(firefox(1_000 + n), mismatch).kind);
    expect(new Set(former)).toEqual(new Set(['mismatch']));
    answer(firefox(5), accepted);
    expect(route.breaker.state).toBe('closed');
    expect(answer(firefox(6), mismatch).kind).toBe('mismatch');
  });

  it('say nothing of a new key pair with what they accepted of the former one', () => {
    for (let n = 0; n < 50; n++) answer(firefox(n), accepted);
    route.reset();
    answer(firefox(100), accepted);
    fail(50, mismatch);
    expect(route.breaker.state).toBe('closed');
  });

  it('are remembered for the latest subscriptions only', () => {
    for (let n = 0; n < 600; n++) answer(firefox(n), accepted);
    fail(100, mismatch);
    expect(route.breaker.state).toBe('closed');
    expect(Array.from({ length: 3 }, (_, n) => answer(firefox(100 + n), mismatch).kind)).toEqual(['mismatch', 'mismatch', 'config']); // prettier-ignore
  });

  it('do not make the pair a refused one while another of them accepts it', () => {
    for (let n = 0; n < 50; n++) answer(firefox(n), accepted);
    answer(chrome(), accepted);
    fail(50, mismatch);
    expect(route.breaker.state).toBe('closed');
  });

  it('are asked anew after the credentials changed', () => {
    answer(chrome(), accepted);
    route.reset();
    fail(20, TROUBLE[0] as SendOutcome);
    expect(route.breaker.state).toBe('open');
  });

  it.each([
    ['written with escaped slashes', chrome().replaceAll('/', '\\/')],
    ['in capitals', chrome().replace('fcm.example', 'FCM.example')],
    ['with blanks', chrome().replace('"endpoint":', '"endpoint" : ')],
  ])('are the same service when the subscription is %s', (_name, token) => {
    answer(token, accepted);
    for (let n = 0; n < 20; n++) answer(chrome(n), TROUBLE[0] as SendOutcome);
    expect(route.breaker.state).toBe('open');
  });
});
