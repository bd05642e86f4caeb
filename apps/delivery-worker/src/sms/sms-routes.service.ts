import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Clock, JsonObject } from '@postrider/domain';
import { type Database, DATABASE, findVendorCredentials, type VendorCredentials } from '@postrider/persistence';
import { CLOCK, CONFIG, type Config, type Logger, LOGGER, SecretBox } from '@postrider/platform';
import type { SmsSender } from '@postrider/vendors';
import { latestError } from '../route/call-trouble';
import type { RouteFacts } from '../route/route-reports.service';
import { SmsRoute } from './sms-route';

/** Nest injection token of the `SmsSenderFactory`. */
export const SMS_SENDER_FACTORY = Symbol('SmsSenderFactory');

/** Makes the sender of one application's SMS credentials. @throws when the credentials are of no use */
export type SmsSenderFactory = (credentials: JsonObject) => SmsSender;

/** Changed credentials are in use this soon. */
const LOOK_AT_CREDENTIALS_EVERY_MS = 2_000;

/** While a route is held sooner: what waits must not be put off again for credentials that are gone. */
const LOOK_WHILE_HELD_EVERY_MS = 100;

/** How often it is looked whether credentials have come that were missing. */
const WITHOUT_SENDER_MS = 15_000;

/** Each application's way to its SMS provider, with its newest credentials. */
@Injectable()
export class SmsRoutes implements OnApplicationShutdown {
  readonly #known = new Map<string, { route: SmsRoute; checkedAt: number }>();

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(SMS_SENDER_FACTORY) private readonly makeSender: SmsSenderFactory,
    private readonly secretBox: SecretBox,
  ) {}

  /** The route of an application; held when it has no credentials that can be used. */
  async routeOf(appId: string): Promise<SmsRoute> {
    const now = this.clock.now().getTime();
    let known = this.#known.get(appId);
    if (known === undefined) {
      known = { route: new SmsRoute(appId, this.config.retryTimeScale), checkedAt: -Infinity };
      this.#known.set(appId, known);
    }
    const { route } = known;
    const isHeld = route.holdAt(now) !== null;
    if (now - known.checkedAt >= (isHeld ? LOOK_WHILE_HELD_EVERY_MS : LOOK_AT_CREDENTIALS_EVERY_MS)) {
      known.checkedAt = now;
      await this.#check(route);
    }
    if (route.sender === null && route.holdAt(now) === null) {
      const reason =
        route.revision === null ? 'No SMS provider is set up' : 'The stored SMS credentials cannot be used';
      route.hold(now + WITHOUT_SENDER_MS * this.config.retryTimeScale, 'no_provider', reason);
    }
    return route;
  }

  /** What there is to report of every route. */
  facts(): RouteFacts[] {
    const now = this.clock.now().getTime();
    return [...this.#known.values()].map(({ route }) => {
      const { appId, revision, inFlight } = route;
      const hold = route.holdAt(now);
      const breaker = hold !== null ? 'open' : route.isHalfOpen ? 'half-open' : 'closed';
      const openUntil = hold === null ? null : new Date(hold.until);
      const failing = route.calls.failingAt(now);
      const lastError = latestError([route.lastError, failing?.error ?? route.calls.lastError]);
      const failingSince = failing && new Date(failing.since);
      return { appId, vendor: 'sms', breaker, openUntil, inFlight, revision, lastError, failingSince };
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.#known.values()].map(async ({ route }) => route.sender?.close()));
  }

  async #check(route: SmsRoute): Promise<void> {
    const stored = await findVendorCredentials(this.database, route.appId, 'sms');
    const revision = stored?.revision ?? null;
    if (revision === route.revision) return;
    const former = route.sender;
    const resendsUnknown = stored?.settings.onUnknown === 'resend';
    route.reset(stored && this.#senderOf(route.appId, stored), revision, resendsUnknown);
    // Not awaited: what is in flight may take its whole deadline.
    former?.close().catch((error: unknown) => this.logger.warn({ err: error }, 'sender.close-failed'));
  }

  #senderOf(appId: string, { settings, sealed }: VendorCredentials): SmsSender | null {
    try {
      return this.makeSender({ ...settings, ...this.secretBox.open<JsonObject>(sealed, `vendor:${appId}:sms`) });
    } catch (error) {
      this.logger.error({ appId, vendor: 'sms', err: error }, 'route.credentials-unusable');
      return null;
    }
  }
}
