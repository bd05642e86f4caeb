import type { Clock, PushVendor, Lane } from '@postrider/domain';
import {
  type Database,
  DeadTokensRepository,
  HandOversRepository,
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
import { type Config, loadConfig, type Logger, SecretBox, Shutdown, Traces } from '@postrider/platform';
import { PromoCodeClaims } from '@postrider/promo';
import type { JobsClient } from '@postrider/queues';
import type { LinkTracker } from '@postrider/rendering';
import type { Sender } from '@postrider/vendors';
import { TestClock, type ThrowAwayDatabase } from '@postrider/testing';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { Dispatcher } from '../page/dispatcher';
import { SendWindow } from '../page/send-window';
import { MessageCompleter } from '../page/message-completer';
import { Renderers } from '../page/renderers';
import { DeliveryMetrics } from '../page/delivery-metrics';
import { ClaimPacedPage } from '../page/claim-paced-page.service';
import { PagePacing } from '../page/page-pacing.service';
import { AttemptPageService } from '../page/attempt-page.service';
import { CampaignPageLimit, campaignPagesAtOnce } from '../page/campaign-page-limit';
import { ClaimPageService } from '../page/claim-page.service';
import { CompletePageService } from '../page/complete-page.service';
import { Interruptions } from '../page/interruptions.service';
import { LeaseKeeper } from '../page/lease-keeper';
import type { PageEnd } from '../page/page-run';
import { PageRecorder } from '../page/page-recorder';
import { PageReport } from '../page/page-report';
import { RunningPages } from '../page/running-pages';
import { PersonalPages } from '../page/personal-pages';
import { RetryEnqueuer } from '../page/retry-enqueuer';
import { reportRoutes } from '../route/report-routes';
import { RouteReports } from '../route/route-reports.service';
import { Credentials } from '../route/credentials';
import { RoutesService } from '../route/routes.service';
import { SwitchOffDeadTokens } from '../tokens/switch-off-dead-tokens.service';
import { TokenHygiene } from '../tokens/token-hygiene';
import { SubscribedEvents } from '../webhooks/subscribed-events';
import { WritePages } from '../page/write-pages.service';
import { FakeSender } from './fake-sender';

/** A delivery worker without queues and vendors, on a real database. */
export interface TestWorker {
  /** Tries a page; of a campaign, when nothing else is said. */
  attempt(vendor: PushVendor, key: PageKey & { lane?: Lane }): Promise<PageEnd | null>;
  sender: FakeSender;
  lines: Record<string, unknown>[];
  enqueued: { pageId: unknown; delayMs: number | undefined }[];
  metrics: Registry;
  running: RunningPages;
  leases: LeaseKeeper;
  window: SendWindow;
  reports: RouteReports;
  /** Looks for messages that are done, as happens by itself after a moment. */
  complete(): Promise<void>;
  hygiene: TokenHygiene;
  /** Switches off the tokens whose time has come, as happens by itself. */
  switchOff(): Promise<void>;
  /** As on SIGTERM. */
  stop(): void;
}

/** What a test may set. */
export interface TestWorkerOptions {
  /** Makes the tracked links of messages that ask for them. */
  links?: LinkTracker;
  sender?: FakeSender;
  /** A sender of a real vendor, instead of the stand-in. */
  realSender?: Sender;
  concurrency?: number;
  instanceId?: string;
  clock?: Clock;
  logLevel?: string;
}

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

/** Puts a worker together as its module does. */
export function startTestWorker(
  { dataSource: database }: ThrowAwayDatabase,
  options: TestWorkerOptions = {},
): TestWorker {
  const { sender = new FakeSender('fcm'), realSender: real = sender, clock = new TestClock() } = options;
  const { concurrency = 1_000 } = options;
  const settings = { ...config, deliveryConcurrency: concurrency, instanceId: options.instanceId ?? 'w1' };
  const lines: Record<string, unknown>[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>);
  const logger = pino({ messageKey: 'event', level: options.logLevel ?? 'info' }, { write });
  const stopping = new AbortController();
  const [messages, pages] = [new MessagesRepository(database), new PagesRepository(database)];
  const interruptions = new Interruptions(messages, new HandOversRepository(database));
  const registry = new Registry();
  const routes = routesOf(database, settings, clock, logger, real);
  const metrics = new DeliveryMetrics(registry, () => routes.all());
  const window = new SendWindow(concurrency);
  const reports = new RouteReports(database, new RoutesRepository(database), clock, settings, logger);
  reportRoutes(routes, reports);
  const writes = writesOf(database, clock);
  const recorder = new PageRecorder({ writes, clock, logger, metrics, window, deadline: stopping.signal });
  const dispatcher = new Dispatcher(window, clock, metrics);
  const running = new RunningPages({ interruptions, dispatcher, recorder, window, logger, stopping: stopping.signal });
  const leases = new LeaseKeeper({ pages, clock, logger, leasedBy: settings.instanceId });
  const enqueued: TestWorker['enqueued'] = [];
  const completer = new MessageCompleter(messages, clock, logger);
  const renderers = payloads(options.links ?? null);
  const claim = new ClaimPageService(pages, settings, clock, routes, renderers, leases);
  const deadTokens = new DeadTokensRepository(database);
  const hygiene = new TokenHygiene(database, deadTokens, clock, settings, logger, metrics);
  const switchOff = new SwitchOffDeadTokens(database, deadTokens, clock, logger, metrics, new Shutdown());
  const retries = new RetryEnqueuer(rememberedBy(enqueued), clock, logger);
  const report = new PageReport(metrics, logger, new Traces());
  const end = new CompletePageService(recorder, hygiene, completer, retries, report, clock);
  const attempts = new AttemptPageService(
    new CampaignPageLimit(campaignPagesAtOnce(settings)),
    new ClaimPacedPage(claim, new PagePacing(database, clock, new PacingRepository(database)), pages, clock),
    new PersonalPages(clock, renderers, new PersonFactsRepository(database), promoCodesOf(database)),
    running,
    end,
    leases,
  );

  return {
    attempt: (vendor, key) => attempts.attempt(vendor, { lane: 'campaign', ...key }),
    sender,
    lines,
    enqueued,
    metrics: registry,
    running,
    leases,
    window,
    reports,
    complete: () => completer.flush(),
    hygiene,
    switchOff: async () => {
      while (await switchOff.turn());
    },
    stop: () => stopping.abort(),
  };
}

function routesOf(database: Database, settings: Config, clock: Clock, logger: Logger, sender: Sender): RoutesService {
  const stored = new VendorCredentialsRepository(database);
  const credentials = new Credentials(stored, logger, new SecretBox(config.secretKey));
  return new RoutesService(new RoutesRepository(database), credentials, settings, clock, logger, () => sender);
}

function promoCodesOf(database: Database): PromoCodeClaims {
  return new PromoCodeClaims(
    database,
    new PromoSetsRepository(database),
    new PromoAssignmentsRepository(database),
    new WebhookEventsRepository(database),
  );
}

function writesOf(database: Database, clock: Clock): WritePages {
  const subscribed = new SubscribedEvents(new WebhooksRepository(database), clock);
  return new WritePages(database, new PagesRepository(database), new WebhookEventsRepository(database), subscribed);
}

/** Jobs that are only remembered. */
function rememberedBy(enqueued: TestWorker['enqueued']): JobsClient {
  return {
    enqueue: (_job, payloads, { delayMs } = {}) => {
      enqueued.push(...payloads.map(({ pageId }) => ({ pageId, delayMs })));
      return Promise.resolve();
    },
  };
}

/** Every device gets the same: what a payload looks like is not this worker's business. */
function payloads(links: LinkTracker | null): Renderers {
  return new Renderers(({ id }) => {
    const payload = { vendor: 'fcm' as const, message: { data: { id } } };
    return { payloadFor: () => payload, connectionPayload: () => ({}), measure: () => 0 };
  }, links);
}
