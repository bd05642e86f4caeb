import { loadConfig } from '@postrider/platform';
import type { SmsSender } from '@postrider/vendors';
import { TestClock } from '@postrider/testing';
import type { Credentials, CurrentCredentials } from '../route/credentials';
import { SmsRoutes } from './sms-routes.service';

const config = loadConfig({
  DATABASE_URL: 'postgres://unused',
  REDIS_URL: 'redis://unused',
  SECRET_KEY: 's'.repeat(32),
});
const sender = {
  send: () => Promise.reject(new Error('unused')),
  close: () => Promise.resolve(),
} as unknown as SmsSender;

/** Stored credentials that the look-up finds when the test says so. */
class SlowCredentials {
  lookUps = 0;
  #found: () => void = () => undefined;

  find(): Promise<CurrentCredentials<SmsSender>> {
    this.lookUps++;
    return new Promise((resolve) => {
      this.#found = () => resolve({ revision: '1', settings: {}, createSender: () => sender });
    });
  }

  letFind(): void {
    this.#found();
  }

  retire(): void {
    // Nothing is held open.
  }
}

describe("the routes to applications' SMS providers", () => {
  it('give a second caller the route with its sender while the credentials are still looked up for the first', async () => {
    const credentials = new SlowCredentials();
    const clock = new TestClock(Date.parse('2026-11-22T10:00:00Z'));
    const routes = new SmsRoutes(credentials as unknown as Credentials, config, clock, () => sender);
    const first = routes.routeOf('shop');
    const held = routes.routeOf('shop').then((route) => route.currentHold());
    // A caller that need not wait has its answer by then.
    await new Promise((next) => setImmediate(next));
    credentials.letFind();
    expect((await first).sender).toBe(sender);
    expect(await held).toBeNull();
    expect(credentials.lookUps).toBe(1);
  });

  it('report nothing of an application without a provider: its SMS wait, and nothing fails', async () => {
    const none = {
      find: () => Promise.resolve({ revision: null, settings: {}, createSender: () => null }),
      retire: () => undefined,
    };
    const clock = new TestClock(Date.parse('2026-11-22T10:00:00Z'));
    const routes = new SmsRoutes(none as unknown as Credentials, config, clock, () => sender);
    expect((await routes.routeOf('shop')).currentHold()).toMatchObject({ code: 'no_provider' });
    expect(routes.facts()).toEqual([]);
  });
});
