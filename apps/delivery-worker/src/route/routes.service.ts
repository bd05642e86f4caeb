import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { type Clock, HOUR_MS, type JsonObject, MINUTE_MS, type PushVendor } from '@postrider/domain';
import { RoutesRepository, type VendorTrouble } from '@postrider/persistence';
import { CLOCK, CONFIG, type Config, type Logger, LOGGER } from '@postrider/platform';
import type { Sender } from '@postrider/vendors';
import { areCredentialsDue, Credentials } from './credentials';
import { PushServices } from './push-services';
import { Route, type RouteListener } from './route';
import { type BreakerOpening, Breaker, PUSH_BREAKER, WEB_PUSH_BREAKER } from './breaker';

/** Nest injection token of the `SenderFactory`. */
export const SENDER_FACTORY = Symbol('SenderFactory');

/** Makes the sender of one application's credentials at one vendor. @throws if the credentials cannot be used */
export type SenderFactory = (vendor: PushVendor, credentials: JsonObject) => Sender;

/** A route that was not used for this long closes its connections. */
const IDLE_AFTER_MS = 10 * MINUTE_MS;
/**
 * A route over which nothing leaves is kept longer: the messages that wait for it are tried again after an hour at
 * most.
 */
const FAILING_IDLE_AFTER_MS = 2 * HOUR_MS;
const LOOK_FOR_IDLE_EVERY_MS = MINUTE_MS;

/** Times are on the scale of `clock.steadyMs()`. */
interface KnownRoute {
  route: Route;
  checkedAt: number;
  usedAt: number;
  checking: Promise<void> | null;
}

/**
 * The process's routes, one for each application and vendor in use. A route's sender is made from the stored
 * credentials; when those change, a new sender takes over and the old one finishes its calls in flight.
 */
@Injectable()
export class RoutesService implements OnModuleInit, OnApplicationShutdown {
  readonly #known = new Map<string, KnownRoute>();
  readonly #listeners: RouteListener[] = [];
  readonly #listener: RouteListener = {
    held: (route, why) => this.#held(route, why),
    resumed: (route) => this.#resumed(route),
    putBackLate: (route) => {
      for (const listener of this.#listeners) listener.putBackLate(route);
    },
  };

  #idleTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly routes: RoutesRepository,
    private readonly credentials: Credentials,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(SENDER_FACTORY) private readonly makeSender: SenderFactory,
  ) {}

  /**
   * Returns the route, with a sender of the credentials as they were at most two seconds ago; without credentials the
   * route is held.
   */
  async open(appId: string, vendor: PushVendor): Promise<Route> {
    const known = this.#knownRoute(appId, vendor);
    const now = this.clock.steadyMs();
    known.usedAt = now;
    known.route.breaker.advance();
    if (areCredentialsDue(known.checkedAt, now, known.route.breaker.isHolding)) {
      known.checking ??= this.#check(known).finally(() => (known.checking = null));
      await known.checking;
    }
    const { route } = known;
    if (route.sender === null && !route.breaker.isHolding) this.#holdWithoutSender(route);
    return route;
  }

  /** Adds a listener, which is called when a route is held, when it works again, and when a page missed that. */
  listen(listener: RouteListener): void {
    this.#listeners.push(listener);
  }

  /** Returns every known route, for metrics. */
  all(): Route[] {
    return [...this.#known.values()].map(({ route }) => route);
  }

  /** Forgets routes that were not used for a while, and closes their connections. */
  closeIdle(): void {
    for (const [key, { route, usedAt }] of this.#known) {
      const isFailing = route.calls.failingAt(this.clock.now().getTime()) !== null;
      const idleMs = isFailing ? FAILING_IDLE_AFTER_MS : IDLE_AFTER_MS;
      if (usedAt >= this.clock.steadyMs() - idleMs || !route.isIdle) continue;
      this.#known.delete(key);
      this.credentials.retire(route.sender);
    }
  }

  onModuleInit(): void {
    this.#idleTimer = setInterval(() => this.closeIdle(), LOOK_FOR_IDLE_EVERY_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.#idleTimer);
    await Promise.all(this.all().map(async ({ sender }) => sender?.close()));
  }

  #knownRoute(appId: string, vendor: PushVendor): KnownRoute {
    const key = `${vendor} ${appId}`;
    let known = this.#known.get(key);
    if (known === undefined) {
      const isWebPush = vendor === 'webpush';
      const policy = isWebPush ? WEB_PUSH_BREAKER : PUSH_BREAKER;
      const breaker = new Breaker(this.clock, this.config.retryTimeScale, policy);
      const services = isWebPush ? new PushServices(this.clock) : null;
      const route = new Route(appId, vendor, breaker, this.#listener, services);
      known = { route, checkedAt: -Infinity, usedAt: 0, checking: null };
      this.#known.set(key, known);
    }
    return known;
  }

  async #check(known: KnownRoute): Promise<void> {
    const { route } = known;
    const [stored, trouble] = await Promise.all([
      this.credentials.find(route.appId, route.vendor, (opened) => this.makeSender(route.vendor, opened)),
      this.routes.findTrouble(route),
    ]);
    const isFirst = known.checkedAt === -Infinity;
    known.checkedAt = this.clock.steadyMs();
    this.#retryIfAsked(route, trouble, isFirst);
    const { revision } = stored;
    if (revision !== route.revision) {
      const former = route.sender;
      route.sender = stored.createSender();
      route.revision = revision;
      route.reset();
      this.credentials.retire(former);
    }
    // Also later: another worker may have been the first for which they worked.
    if (revision !== null && trouble?.workedRevision === revision) route.breaker.noteWorked();
  }

  /** Tries a held route again at once if the operator has asked for it since the last look. */
  #retryIfAsked(route: Route, trouble: VendorTrouble | null, isFirst: boolean): void {
    const askedBefore = route.trouble?.retryAskedAt?.getTime() ?? 0;
    const isAsked = !isFirst && (trouble?.retryAskedAt?.getTime() ?? 0) > askedBefore;
    route.trouble = trouble;
    if (isAsked) route.breaker.tryNow();
  }

  #holdWithoutSender(route: Route): void {
    route.breaker.open(0);
    const reason =
      route.revision === null ? 'No credentials are stored for this vendor' : 'The stored credentials cannot be used';
    route.hold({ kind: 'config', code: 'no_sender', reason });
  }

  /** Logs a warning the first time; while the same outage goes on, it logs no further warning. */
  #held(route: Route, why: BreakerOpening): void {
    const { appId, vendor, breaker } = route;
    const isNews = route.lastError?.code !== why.code || route.lastError.at.getTime() < route.lastAcceptedAt;
    route.lastError = { kind: why.kind, code: why.code, reason: why.reason, at: this.clock.now() };
    const until = new Date(breaker.openUntil).toISOString();
    const facts = { appId, vendor, kind: why.kind, code: why.code, reason: why.reason, until };
    if (isNews) this.logger.error(facts, 'route.held');
    else this.logger.debug(facts, 'route.held');
    for (const listener of this.#listeners) listener.held(route, why);
  }

  #resumed(route: Route): void {
    this.logger.info({ appId: route.appId, vendor: route.vendor }, 'route.resumed');
    for (const listener of this.#listeners) listener.resumed(route);
  }
}
