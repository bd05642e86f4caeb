import type { Clock, PushVendor, Lane } from '@postrider/domain';
import { ReleaseHeldPages, SwitchOffDeadTokens } from '@postrider/maintenance';
import {
  ContactsRepository,
  type Database,
  DeadTokensRepository,
  OwnerChangesRepository,
  MessagesRepository,
  PacingRepository,
  type PageKey,
  PagesRepository,
  PersonFactsRepository,
  PromoAssignmentsRepository,
  PromoSetsRepository,
  RoutesRepository,
  VendorCredentialsRepository,
  WebhookEventsRepository,
  WebhooksRepository,
} from '@postrider/persistence';
import { type Config, loadConfig, type Logger, SecretBox, Traces } from '@postrider/platform';
import { PromoCodeClaims } from '@postrider/promo';
import type { JobsClient } from '@postrider/queues';
import type { createRenderer, LinkTracker } from '@postrider/rendering';
import type { Sender } from '@postrider/vendors';
import { TestClock, type ThrowAwayDatabase } from '@postrider/testing';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { CallDispatcher } from '../page/send/call-dispatcher';
import { SendWindow } from '../page/send/send-window';
import { MessageDoneMarker } from '../page/complete/message-done-marker';
import { ChooseEditions } from '../page/render/choose-editions.service';
import { MessagePayloads } from '../page/render/message-payloads';
import { DeliveryMetrics } from '../page/delivery-metrics';
import { PagePacing } from '../page/claim/page-pacing.service';
import { AttemptPageService } from '../page/attempt-page.service';
import { PagesInHand } from '../page/claim/pages-in-hand';
import { SlowPages } from '../page/claim/slow-pages';
import { KeepCaps } from '../page/cap/keep-caps.service';
import { ClaimPageService } from '../page/claim/claim-page.service';
import { CompletePageService } from '../page/complete/complete-page.service';
import { PageLeases } from '../page/claim/page-leases';
import type { PageEnd } from '../page/run/page-run';
import { DeliveryRecorder } from '../page/record/delivery-recorder';
import { DeliveryStore } from '../page/record/delivery-store.service';
import { PageTelemetry } from '../page/complete/page-telemetry';
import { RunSupervisor } from '../page/run-supervisor';
import { RenderPageService } from '../page/render/render-page.service';
import { RetryEnqueuer } from '../page/complete/retry-pages';
import { HeldPages } from '../route/held-pages.service';
import { reportRoutes, RouteReports } from '../route/route-reports.service';
import { Credentials } from '../route/credentials';
import { RoutesService } from '../route/routes.service';
import { TokenHygiene } from '../tokens/token-hygiene';
import { SubscribedEvents } from '../webhooks/subscribed-events';
import { FakeSender } from './fake-sender';

/** A delivery worker without queues and vendors, on a real database. */
export interface TestWorker {
  /** Tries a page; a page of a campaign if nothing else is said. */
  attempt(vendor: PushVendor, key: PageKey & { lane?: Lane }): Promise<PageEnd | null>;
  sender: FakeSender;
  lines: Record<string, unknown>[];
  enqueued: { pageId: unknown; delayMs: number | undefined }[];
  metrics: Registry;
  /** The metrics of the audience worker, which runs the maintenance tasks. */
  maintenanceMetrics: Registry;
  supervisor: RunSupervisor;
  /** Renews the leases of the pages in hand. @returns true if PostgreSQL accepted the renewal */
  renewLeases(): Promise<boolean>;
  window: SendWindow;
  reports: RouteReports;
  /** Looks for messages that are done, as happens by itself after a moment. */
  complete(): Promise<void>;
  hygiene: TokenHygiene;
  /** Switches off the tokens whose time has come, as the maintenance task of the audience worker does. */
  switchOff(): Promise<void>;
  /** Does what SIGTERM does. */
  stop(): void;
}

/** What a test may set. */
export interface TestWorkerOptions {
  /** Makes the tracked links of messages that ask for them. */
  links?: LinkTracker;
  /**
   * Makes the payloads of messages that are the same for every device. Left out: a renderer that puts only the
   * message's id into them.
   */
  makeRenderer?: typeof createRenderer;
  sender?: FakeSender;
  /** A sender of a real vendor, instead of the stand-in. */
  realSender?: Sender;
  concurrency?: number;
  /** Left out: yes. */
  packDeliveries?: boolean;
  instanceId?: string;
  clock?: Clock;
  logLevel?: string;
  /** After how long a page of named users goes on without its job. Left out: never, however slow the machine is. */
  slowAfterMs?: number;
}

/** Longer than a test takes. */
const NEVER_MS = 600_000;

const config: Config = loadConfig({
  DATABASE_URL: 'postgres://unused',
  REDIS_URL: 'redis://unused',
  SECRET_KEY: 's'.repeat(32),
});

/** Stores FCM credentials for an application, as the admin API does. */
export async function storeCredentials({ dataSource }: ThrowAwayDatabase, appId: string, at: Date): Promise<void> {
  const sealed = new SecretBox(config.secretKey).seal({ key: 'secret' }, `vendor:${appId}:fcm`);
  await new VendorCredentialsRepository(dataSource).put(
    appId,
    { vendor: 'fcm', settings: { project: 'p' }, sealed },
    at,
  );
}

/**
 * Renews leases only when a test does. By itself it would renew them after 2.5 s on a real clock, also those of a worker that a test
 * takes for lost.
 */
class LeasesOfTest extends PageLeases {
  override renew(): Promise<boolean> {
    return new Promise(() => undefined);
  }

  renewNow(): Promise<boolean> {
    return super.renew();
  }
}

/**
 * Pages whose leases are given up quietly once the test has closed its database. A page that a test leaves in the hands of a worker
 * would be tried again every second until the process ends, beside all tests that follow.
 */
class PagesOfTest extends PagesRepository {
  readonly #dataSource: ThrowAwayDatabase['dataSource'];

  constructor(dataSource: ThrowAwayDatabase['dataSource']) {
    super(dataSource);
    this.#dataSource = dataSource;
  }

  override undoLosses(...words: Parameters<PagesRepository['undoLosses']>): Promise<void> {
    return this.#dataSource.isInitialized ? super.undoLosses(...words) : new Promise(() => undefined);
  }

  override giveBackUnknown(...words: Parameters<PagesRepository['giveBackUnknown']>): Promise<void> {
    return this.#dataSource.isInitialized ? super.giveBackUnknown(...words) : new Promise(() => undefined);
  }
}

/** A pace that does not wait, but lets the clock of the test go on. */
class PacingOfTest extends PagePacing {
  constructor(
    database: Database,
    private readonly testClock: TestClock,
  ) {
    super(database, testClock, new PacingRepository(database));
  }

  override pass(ms: number): Promise<unknown> {
    this.testClock.advance(ms);
    return Promise.resolve();
  }
}

function pacingOf(database: Database, clock: Clock): PagePacing {
  if (clock instanceof TestClock) return new PacingOfTest(database, clock);
  return new PagePacing(database, clock, new PacingRepository(database));
}

/** Puts a worker together as its module does. */
export function startTestWorker(
  { dataSource: database }: ThrowAwayDatabase,
  options: TestWorkerOptions = {},
): TestWorker {
  const { sender = new FakeSender('fcm'), realSender: real = sender, clock = new TestClock() } = options;
  const { concurrency = 1_000, packDeliveries = true } = options;
  const settings = { ...config, packDeliveries, deliveryConcurrency: concurrency, ...identityOf(options) };
  const lines: Record<string, unknown>[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>);
  const logger = pino({ messageKey: 'event', level: options.logLevel ?? 'info' }, { write });
  const stopping = new AbortController();
  const [messages, pages] = [new MessagesRepository(database), new PagesRepository(database)];
  const [registry, maintenanceMetrics] = [new Registry(), new Registry()];
  const routes = routesOf(database, settings, clock, logger, real);
  const metrics = new DeliveryMetrics(registry, () => routes.all());
  const window = new SendWindow(concurrency);
  const reports = new RouteReports(database, new RoutesRepository(database), clock, settings, logger);
  const store = deliveryStoreOf(database, settings, clock);
  const recorder = new DeliveryRecorder({ store, clock, logger, metrics, window, deadline: stopping.signal });
  const dispatcher = new CallDispatcher(window, clock, metrics);
  const ownerChanges = new OwnerChangesRepository(database);
  const stop = { logger, stopping: stopping.signal };
  const supervisor = new RunSupervisor({ messages, ownerChanges, dispatcher, recorder, ...stop });
  const leases = new LeasesOfTest(new PagesOfTest(database), clock, logger, settings);
  const enqueued: TestWorker['enqueued'] = [];
  const held = new ReleaseHeldPages(new RoutesRepository(database), clock, logger, rememberedBy(enqueued));
  reportRoutes(routes, reports, new HeldPages(held, logger));
  const completer = new MessageDoneMarker(messages, clock, logger);
  const pacing = pacingOf(database, clock);
  const claim = new ClaimPageService(pages, pacing, settings, clock, routes, leases);
  const deadTokens = new DeadTokensRepository(database);
  const hygiene = new TokenHygiene(database, deadTokens, clock, settings, logger, metrics);
  const switchOff = new SwitchOffDeadTokens(database, deadTokens, clock, logger, maintenanceMetrics);
  const retries = new RetryEnqueuer(rememberedBy(enqueued), clock, logger);
  const report = new PageTelemetry(metrics, logger, new Traces());
  const end = new CompletePageService(recorder, hygiene, completer, retries, report, clock);
  const inHand = new PagesInHand(settings, slowPagesOf(logger, options));
  const caps = new KeepCaps(new ContactsRepository(database), clock, logger);
  const { links = null, makeRenderer = sameForAll } = options;
  const rendering = renderingOf(database, clock, caps, new MessagePayloads(makeRenderer, links));
  const attempts = new AttemptPageService(inHand, claim, rendering, supervisor, end, leases);

  return {
    attempt: (vendor, key) => unawaited(attempts.attempt(vendor, { lane: 'campaign', ...key })),
    sender,
    lines,
    enqueued,
    metrics: registry,
    maintenanceMetrics,
    supervisor,
    renewLeases: () => leases.renewNow(),
    window,
    reports,
    complete: () => completer.flush(),
    hygiene,
    switchOff: async () => {
      while (await switchOff.run(stopping.signal));
    },
    stop: () => stopping.abort(),
  };
}

/** Tests that kill a worker do not wait for its page, which fails when their database is gone. */
function unawaited<Result>(result: Promise<Result>): Promise<Result> {
  result.catch(() => undefined);
  return result;
}

function identityOf({ instanceId = 'w1' }: TestWorkerOptions): Pick<Config, 'instanceId'> {
  return { instanceId };
}

function slowPagesOf(logger: Logger, { slowAfterMs = NEVER_MS }: TestWorkerOptions): SlowPages {
  return new SlowPages(logger, slowAfterMs);
}

function routesOf(database: Database, settings: Config, clock: Clock, logger: Logger, sender: Sender): RoutesService {
  const stored = new VendorCredentialsRepository(database);
  const credentials = new Credentials(stored, logger, new SecretBox(config.secretKey));
  return new RoutesService(new RoutesRepository(database), credentials, settings, clock, logger, () => sender);
}

function renderingOf(database: Database, clock: Clock, caps: KeepCaps, payloads: MessagePayloads): RenderPageService {
  const facts = new PersonFactsRepository(database);
  return new RenderPageService(clock, payloads, facts, promoCodesOf(database), caps, new ChooseEditions(facts));
}

function promoCodesOf(database: Database): PromoCodeClaims {
  return new PromoCodeClaims(
    database,
    new PromoSetsRepository(database),
    new PromoAssignmentsRepository(database),
    new WebhookEventsRepository(database),
  );
}

function deliveryStoreOf(database: Database, settings: Config, clock: Clock): DeliveryStore {
  const subscribed = new SubscribedEvents(new WebhooksRepository(database), clock);
  return new DeliveryStore(
    database,
    new PagesRepository(database),
    new WebhookEventsRepository(database),
    subscribed,
    settings,
  );
}

/** Only remembers the jobs. */
function rememberedBy(enqueued: TestWorker['enqueued']): JobsClient {
  return {
    enqueue: (_job, payloads, { delayMs } = {}) => {
      enqueued.push(...payloads.map(({ pageId }) => ({ pageId, delayMs })));
      return Promise.resolve();
    },
  };
}

/** Every device gets the same payload: the form of a payload does not concern this worker. */
const sameForAll: typeof createRenderer = ({ id }) => {
  const payload = { vendor: 'fcm' as const, message: { data: { id } } };
  return { payloadFor: () => payload, connectionPayload: () => ({}), measure: () => 0 };
};
