import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { type Clock, storableText } from '@postrider/domain';
import {
  type Database,
  DATABASE,
  isDatabaseUnavailable,
  RoutesRepository,
  type RouteState,
  type VendorKey,
  type VendorTrouble,
} from '@postrider/persistence';
import { CLOCK, CONFIG, type Config, describeFailure, type Logger, LOGGER, RepeatedWarning } from '@postrider/platform';
import type { BreakerOpening } from './breaker';
import { errorsOf } from './call-trouble';
import type { HeldPages } from './held-pages.service';
import type { Route } from './route';
import type { RoutesService } from './routes.service';

/** How often routes are checked for changes. */
const TICK_MS = 1_000;
/** How often a route is published although nothing has changed, to show that this worker is alive. */
const HEARTBEAT_MS = 10_000;

/** The state of one route now. */
export type RouteFacts = Omit<RouteState, 'since'>;

/**
 * Shows the routes of this worker to every process: the state of each in a table, and troubles in one row for each
 * application and vendor, reported once however many workers notice them. Best effort: without PostgreSQL it publishes
 * later.
 */
@Injectable()
export class RouteReports implements OnModuleInit, OnApplicationShutdown {
  readonly #sources: ((now: Date) => RouteFacts[])[] = [];
  readonly #since = new Map<string, { breaker: RouteState['breaker']; since: Date; isFailing: boolean }>();
  readonly #notReported: RepeatedWarning;
  #timer: NodeJS.Timeout | undefined;
  /** On the scale of `clock.steadyMs()`. */
  #publishedAt = -Infinity;
  #hasChanged = false;
  #isPublishing = false;
  #hasPublished = false;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly routes: RoutesRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<Config, 'instanceId'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#notReported = new RepeatedWarning(logger, 'route.not-reported');
  }

  /** Reports the routes of `source` from now on. */
  addSource(source: (now: Date) => RouteFacts[]): void {
    this.#sources.push(source);
  }

  /** Notes that a route is held. Returns at once, never throws. */
  held(key: VendorKey, { kind, code, reason }: BreakerOpening, revision: string | null): Promise<void> {
    const { appId, vendor } = key;
    const hold = { appId, vendor, code, reason: storableText(reason, 500), revision };
    const now = this.clock.now();
    return this.#try('held', async () => {
      if (kind !== 'config') await this.routes.reportOpenBreaker(hold, now);
      else if (await this.routes.reportFailingCredentials(hold, now)) {
        this.logger.error(hold, 'vendor.credentials-failing');
      }
    });
  }

  /** Notes that a route works. Returns at once, never throws. */
  works({ appId, vendor }: VendorKey, revision: string | null): Promise<void> {
    return this.#try('works', () => this.routes.reportWorking({ appId, vendor }, revision));
  }

  /** Publishes the state of every route, if something changed or it is time. Never rejects. */
  async publish(): Promise<void> {
    if (this.#isPublishing) return;
    const [now, startedAt] = [this.clock.now(), this.clock.steadyMs()];
    const states = this.#sources.flatMap((source) => source(now)).map((facts) => this.#withSince(facts, now));
    const isDue = startedAt - this.#publishedAt >= HEARTBEAT_MS;
    if (!this.#hasChanged && !isDue) return;
    if (states.length === 0 && !this.#hasPublished) return;
    this.#isPublishing = true;
    this.#hasChanged = false;
    await this.#try('states', () => this.routes.reportStates(this.config.instanceId, states, now));
    this.#hasPublished = states.length > 0;
    this.#publishedAt = startedAt;
    this.#isPublishing = false;
  }

  onModuleInit(): void {
    this.#timer = setInterval(() => void this.publish(), TICK_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.#timer);
    if (!this.#hasPublished || !this.database.isInitialized) return;
    await this.#try('end', () => this.routes.forgetStates(this.config.instanceId));
  }

  #withSince(facts: RouteFacts, now: Date): RouteState {
    const name = `${facts.vendor} ${facts.appId}`;
    let known = this.#since.get(name);
    if (known?.breaker !== facts.breaker) {
      known = { breaker: facts.breaker, since: now, isFailing: false };
      this.#since.set(name, known);
      this.#hasChanged = true;
    }
    if (known.isFailing !== (facts.failingSince !== null)) {
      known.isFailing = facts.failingSince !== null;
      this.#hasChanged = true;
    }
    return { ...facts, since: known.since };
  }

  async #try(what: string, write: () => Promise<unknown>): Promise<void> {
    try {
      await write();
    } catch (error) {
      this.#hasChanged = true;
      const why = isDatabaseUnavailable(error) ? { reason: describeFailure(error) } : { err: error };
      this.#notReported.log({ what, ...why });
    }
  }
}

/**
 * Reports every route of this worker: its state, when it is held, and when it works. What waits for a route is released when
 * it works again here, and when the first worker sees that it works at all: others may have held it, and be gone.
 */
export function reportRoutes(routes: RoutesService, reports: RouteReports, heldPages: HeldPages): void {
  const release = (route: Route): void => void heldPages.release(route);
  routes.listen({
    held: (route, why) => {
      route.trouble = { ...(route.trouble ?? NO_TROUBLE), troubledSince: route.lastError?.at ?? null };
      void reports.held(route, why, route.revision);
    },
    // An answer that blames a device ends the hold, but not the episode: only an accepted message ends it.
    resumed: (route) => {
      release(route);
      reportWork(route, reports);
    },
    putBackLate: release,
  });
  reports.addSource((now) =>
    routes.all().map((route) => {
      if (reportWork(route, reports)) release(route);
      if (route.isUntried) void releaseIfAnotherWorks(routes, route, release);
      return factsOf(route, now);
    }),
  );
}

/**
 * Releases what waits for a route whose hold is over if another worker has seen meanwhile that it works: that worker has
 * ended all that was to find it out here. What is known of the route may be two seconds old, so this is asked again
 * for a moment. Never rejects: without PostgreSQL they return by themselves.
 */
async function releaseIfAnotherWorks(
  routes: RoutesService,
  route: Route,
  release: (route: Route) => void,
): Promise<void> {
  try {
    await routes.open(route.appId, route.vendor);
    if ((route.trouble?.troubledSince ?? null) !== null || !route.isUntried) return;
    route.noteReleased();
    release(route);
  } catch {
    // PostgreSQL is away: it cannot release them either.
  }
}

const NO_TROUBLE: VendorTrouble = {
  troubledSince: null,
  retryAskedAt: null,
  trustedUntil: null,
  hasDeadTokens: false,
  workedRevision: null,
};

/**
 * Reports an accepted message: all workers learn that the credentials are good and that earlier troubles are over.
 * @returns true if that is news
 */
function reportWork(route: Route, reports: RouteReports): boolean {
  const { lastAcceptedAt, revision } = route;
  const trouble = route.trouble ?? NO_TROUBLE;
  const isKnownToWork = trouble.workedRevision === revision;
  const isOver = trouble.troubledSince !== null && trouble.troubledSince.getTime() <= lastAcceptedAt;
  if (lastAcceptedAt === 0 || (isKnownToWork && !isOver)) return false;
  route.trouble = { ...trouble, troubledSince: null, workedRevision: revision };
  void reports.works(route, revision);
  return true;
}

function factsOf(route: Route, now: Date): RouteFacts {
  const { appId, vendor, breaker, inFlight, revision } = route;
  const openUntil = breaker.state === 'open' ? new Date(breaker.openUntil) : null;
  const errors = errorsOf(route.calls, route.lastError, now.getTime());
  return { appId, vendor, breaker: breaker.state, openUntil, inFlight, revision, ...errors };
}
