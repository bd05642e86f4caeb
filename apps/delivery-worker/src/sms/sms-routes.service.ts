import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Clock, JsonObject } from '@postrider/domain';
import { CLOCK, CONFIG, type Config } from '@postrider/platform';
import type { SmsSender } from '@postrider/vendors';
import { errorsOf } from '../route/call-trouble';
import { areCredentialsDue, Credentials } from '../route/credentials';
import type { RouteFacts } from '../route/route-reports.service';
import { SmsRoute } from './sms-route';

/** Nest injection token of the `SmsSenderFactory`. */
export const SMS_SENDER_FACTORY = Symbol('SmsSenderFactory');

/** Makes the sender of one application's SMS credentials. @throws if the credentials cannot be used */
export type SmsSenderFactory = (credentials: JsonObject) => SmsSender;

/** How often missing credentials are looked for. */
const WITHOUT_SENDER_MS = 15_000;

interface KnownRoute {
  route: SmsRoute;
  /** On the scale of `clock.steadyMs()`. */
  checkedAt: number;
  /** The look-up of the credentials that is under way; every caller that needs the route waits for it. */
  checking: Promise<void> | null;
}

/** Each application's route to its SMS provider, with its newest credentials. */
@Injectable()
export class SmsRoutes implements OnApplicationShutdown {
  readonly #known = new Map<string, KnownRoute>();

  constructor(
    private readonly credentials: Credentials,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(SMS_SENDER_FACTORY) private readonly makeSender: SmsSenderFactory,
  ) {}

  /** Returns the route of an application; it is held if there are no credentials that can be used. */
  async routeOf(appId: string): Promise<SmsRoute> {
    let known = this.#known.get(appId);
    if (known === undefined) {
      known = {
        route: new SmsRoute(appId, this.clock, this.config.retryTimeScale),
        checkedAt: -Infinity,
        checking: null,
      };
      this.#known.set(appId, known);
    }
    const { route } = known;
    const isHeld = route.currentHold() !== null;
    if (areCredentialsDue(known.checkedAt, this.clock.steadyMs(), isHeld)) {
      known.checking ??= this.#check(known).finally(() => (known.checking = null));
      await known.checking;
    }
    if (route.sender === null && route.currentHold() === null) {
      const reason =
        route.revision === null ? 'No SMS provider is set up' : 'The stored SMS credentials cannot be used';
      route.holdFor(WITHOUT_SENDER_MS * this.config.retryTimeScale, 'no_provider', reason);
    }
    return route;
  }

  /** Returns the facts of every route. A route without a provider does not count as failing. */
  facts(): RouteFacts[] {
    const now = this.clock.now().getTime();
    const connected = [...this.#known.values()].filter(({ route }) => route.revision !== null);
    return connected.map(({ route }) => {
      const { appId, revision, inFlight } = route;
      const hold = route.currentHold();
      const breaker = hold !== null ? 'open' : route.isHalfOpen ? 'half-open' : 'closed';
      const openUntil = hold === null ? null : new Date(hold.until);
      const errors = errorsOf(route.calls, route.lastError, now);
      return { appId, vendor: 'sms', breaker, openUntil, inFlight, revision, ...errors };
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.#known.values()].map(async ({ route }) => route.sender?.close()));
  }

  async #check(known: KnownRoute): Promise<void> {
    const { route } = known;
    const stored = await this.credentials.find(route.appId, 'sms', this.makeSender);
    known.checkedAt = this.clock.steadyMs();
    if (stored.revision === route.revision) return;
    const former = route.sender;
    route.reset(stored.createSender(), stored.revision, stored.settings.onUnknown === 'resend');
    this.credentials.retire(former);
  }
}
