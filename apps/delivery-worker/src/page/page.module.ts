import { Module } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import {
  type Database,
  DATABASE,
  DeadTokensRepository,
  MessagesRepository,
  PagesRepository,
  PersonFactsRepository,
} from '@postrider/persistence';
import { CLOCK, CONFIG, type Config, type Logger, LOGGER, METRICS, Shutdown, Traces } from '@postrider/platform';
import { PromoCodeClaims } from '@postrider/promo';
import { JOBS_CLIENT, type JobsClient, SharedTokens } from '@postrider/queues';
import { createRenderer, LinkTracker } from '@postrider/rendering';
import { createSender } from '@postrider/vendors';
import type { Registry } from 'prom-client';
import { Dispatcher } from './dispatcher';
import { SendWindow } from './send-window';
import { MessageCompleter } from './message-completer';
import { Renderers } from './renderers';
import { DeliveryMetrics } from './delivery-metrics';
import { ClaimPacedPage } from './claim-paced-page.service';
import { PagePacing } from './page-pacing.service';
import { AttemptPageProcessor } from './attempt-page.processor';
import { AttemptPageService } from './attempt-page.service';
import { CampaignPageLimit, campaignPagesAtOnce } from './campaign-page-limit';
import { ClaimPageService } from './claim-page.service';
import { CompletePageService } from './complete-page.service';
import { Interruptions } from './interruptions.service';
import { LeaseKeeper } from './lease-keeper';
import { PageRecorder } from './page-recorder';
import { PageReport } from './page-report';
import { RunningPages } from './running-pages';
import { PersonalPages } from './personal-pages';
import { RetryEnqueuer } from './retry-enqueuer';
import { reportRoutes } from '../route/report-routes';
import { RouteReports } from '../route/route-reports.service';
import { Credentials } from '../route/credentials';
import { RoutesService } from '../route/routes.service';
import { SENDER_FACTORY, type SenderFactory } from '../route/routes.service';
import { SubscribedEvents } from '../webhooks/subscribed-events';
import { WritePages } from './write-pages.service';
import { SwitchOffDeadTokens } from '../tokens/switch-off-dead-tokens.service';
import { TokenHygiene } from '../tokens/token-hygiene';

/** A little after what is in flight must have ended, and before the transport gives the jobs back. */
const RECORD_WITHIN_MS = 14_500;

function deadlineAfter(shutdown: Shutdown): AbortSignal {
  const deadline = new AbortController();
  shutdown.signal.addEventListener('abort', () => setTimeout(() => deadline.abort(), RECORD_WITHIN_MS).unref(), {
    once: true,
  });
  return deadline.signal;
}

/** From the job to the recorded delivery. Needs the platform, persistence and queues modules. */
@Module({
  controllers: [AttemptPageProcessor],
  providers: [
    {
      provide: SENDER_FACTORY,
      inject: [CONFIG, CLOCK, LOGGER, SharedTokens],
      useFactory: (config: Config, clock: Clock, logger: Logger, providerTokens: SharedTokens): SenderFactory => {
        const { allowPrivateEndpoints, allowPrivatePushServices, http2Client, deliveryConcurrency } = config;
        const vendors = { allowPrivateEndpoints, allowPrivatePushServices, http2Client, providerTokens };
        const options = { ...vendors, clock, logger, maxInFlight: deliveryConcurrency };
        return (vendor, credentials) => createSender(vendor, credentials, options);
      },
    },
    {
      provide: Renderers,
      useFactory: (config: Config) => new Renderers(createRenderer, new LinkTracker(config)),
      inject: [CONFIG],
    },
    Credentials,
    SubscribedEvents,
    WritePages,
    RoutesService,
    {
      provide: DeliveryMetrics,
      inject: [METRICS, RoutesService],
      useFactory: (registry: Registry, routes: RoutesService) => new DeliveryMetrics(registry, () => routes.all()),
    },
    {
      provide: CampaignPageLimit,
      inject: [CONFIG],
      useFactory: (config: Config) => new CampaignPageLimit(campaignPagesAtOnce(config)),
    },
    {
      provide: SendWindow,
      inject: [CONFIG],
      useFactory: (config: Config) => new SendWindow(config.deliveryConcurrency),
    },
    {
      provide: Dispatcher,
      inject: [SendWindow, CLOCK, DeliveryMetrics],
      useFactory: (window: SendWindow, clock: Clock, metrics: DeliveryMetrics) =>
        new Dispatcher(window, clock, metrics),
    },
    {
      provide: LeaseKeeper,
      inject: [PagesRepository, CLOCK, LOGGER, CONFIG],
      useFactory: (pages: PagesRepository, clock: Clock, logger: Logger, { instanceId: leasedBy }: Config) =>
        new LeaseKeeper({ pages, clock, logger, leasedBy }),
    },
    {
      provide: PageRecorder,
      inject: [WritePages, CLOCK, LOGGER, Shutdown, DeliveryMetrics, SendWindow],
      useFactory: (
        writes: WritePages,
        clock: Clock,
        logger: Logger,
        shutdown: Shutdown,
        metrics: DeliveryMetrics,
        window: SendWindow,
      ) =>
        new PageRecorder({
          writes,
          clock,
          logger,
          metrics,
          window,
          deadline: deadlineAfter(shutdown),
        }),
    },
    Interruptions,
    {
      provide: RunningPages,
      inject: [Interruptions, Dispatcher, PageRecorder, SendWindow, LOGGER, Shutdown],
      useFactory: (
        interruptions: Interruptions,
        dispatcher: Dispatcher,
        recorder: PageRecorder,
        window: SendWindow,
        logger: Logger,
        shutdown: Shutdown,
      ) => new RunningPages({ interruptions, dispatcher, recorder, window, logger, stopping: shutdown.signal }),
    },
    {
      provide: MessageCompleter,
      inject: [MessagesRepository, CLOCK, LOGGER],
      useFactory: (messages: MessagesRepository, clock: Clock, logger: Logger) =>
        new MessageCompleter(messages, clock, logger),
    },
    {
      provide: TokenHygiene,
      inject: [DATABASE, DeadTokensRepository, CLOCK, CONFIG, LOGGER, DeliveryMetrics],
      useFactory: (
        database: Database,
        deadTokens: DeadTokensRepository,
        clock: Clock,
        config: Config,
        logger: Logger,
        metrics: DeliveryMetrics,
      ) => new TokenHygiene(database, deadTokens, clock, config, logger, metrics),
    },
    SwitchOffDeadTokens,
    {
      provide: PageReport,
      inject: [DeliveryMetrics, LOGGER, Traces],
      useFactory: (metrics: DeliveryMetrics, logger: Logger, traces: Traces) => new PageReport(metrics, logger, traces),
    },
    {
      provide: RetryEnqueuer,
      inject: [JOBS_CLIENT, CLOCK, LOGGER],
      useFactory: (jobs: JobsClient, clock: Clock, logger: Logger) => new RetryEnqueuer(jobs, clock, logger),
    },
    PromoCodeClaims,
    {
      provide: PersonalPages,
      inject: [CLOCK, Renderers, PersonFactsRepository, PromoCodeClaims],
      useFactory: (clock: Clock, renderers: Renderers, facts: PersonFactsRepository, promoCodes: PromoCodeClaims) =>
        new PersonalPages(clock, renderers, facts, promoCodes),
    },
    PagePacing,
    ClaimPacedPage,
    ClaimPageService,
    CompletePageService,
    AttemptPageService,
  ],
  exports: [AttemptPageService],
})
export class PageModule {
  constructor(routes: RoutesService, reports: RouteReports) {
    reportRoutes(routes, reports);
  }
}
