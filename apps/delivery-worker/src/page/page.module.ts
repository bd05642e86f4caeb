import { Module } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { ReleaseHeldPages } from '@postrider/maintenance';
import {
  type Database,
  DATABASE,
  DeadTokensRepository,
  OwnerChangesRepository,
  MessagesRepository,
} from '@postrider/persistence';
import { CLOCK, CONFIG, type Config, type Logger, LOGGER, METRICS, Shutdown } from '@postrider/platform';
import { PromoCodeClaims } from '@postrider/promo';
import { SharedTokens } from '@postrider/queues';
import { createRenderer, LinkTracker } from '@postrider/rendering';
import { createSender } from '@postrider/vendors';
import type { Registry } from 'prom-client';
import { AttemptPageProcessor } from './attempt-page.processor';
import { AttemptPageService } from './attempt-page.service';
import { KeepCaps } from './cap/keep-caps.service';
import { PagesInHand } from './claim/pages-in-hand';
import { SlowPages } from './claim/slow-pages';
import { ClaimPageService } from './claim/claim-page.service';
import { PageLeases } from './claim/page-leases';
import { PagePacing } from './claim/page-pacing.service';
import { ChooseEditions } from './render/choose-editions.service';
import { MessagePayloads } from './render/message-payloads';
import { RenderPageService } from './render/render-page.service';
import { RunSupervisor } from './run-supervisor';
import { CallDispatcher } from './send/call-dispatcher';
import { SendWindow } from './send/send-window';
import { DeliveryRecorder } from './record/delivery-recorder';
import { DeliveryStore } from './record/delivery-store.service';
import { CompletePageService } from './complete/complete-page.service';
import { MessageDoneMarker } from './complete/message-done-marker';
import { PageTelemetry } from './complete/page-telemetry';
import { RetryEnqueuer } from './complete/retry-pages';
import { DeliveryMetrics } from './delivery-metrics';
import { Credentials } from '../route/credentials';
import { HeldPages } from '../route/held-pages.service';
import { reportRoutes, RouteReports } from '../route/route-reports.service';
import { RoutesService, SENDER_FACTORY, type SenderFactory } from '../route/routes.service';
import { TokenHygiene } from '../tokens/token-hygiene';
import { SubscribedEvents } from '../webhooks/subscribed-events';

/** A little after the calls in flight must have ended, and before the transport gives the jobs back. */
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
        const { allowPrivateEndpoints, allowPrivatePushServices, proxy, http2Client, deliveryConcurrency } = config;
        const vendors = { allowPrivateEndpoints, allowPrivatePushServices, proxy, http2Client, providerTokens };
        const options = { ...vendors, clock, logger, maxInFlight: deliveryConcurrency };
        return (vendor, credentials) => createSender(vendor, credentials, options);
      },
    },
    {
      provide: MessagePayloads,
      useFactory: (config: Config) => new MessagePayloads(createRenderer, new LinkTracker(config)),
      inject: [CONFIG],
    },
    Credentials,
    SubscribedEvents,
    DeliveryStore,
    RoutesService,
    ReleaseHeldPages,
    HeldPages,
    {
      provide: DeliveryMetrics,
      inject: [METRICS, RoutesService],
      useFactory: (registry: Registry, routes: RoutesService) => new DeliveryMetrics(registry, () => routes.all()),
    },
    { provide: SlowPages, inject: [LOGGER], useFactory: (logger: Logger) => new SlowPages(logger) },
    PagesInHand,
    {
      provide: SendWindow,
      inject: [CONFIG],
      useFactory: (config: Config) => new SendWindow(config.deliveryConcurrency),
    },
    CallDispatcher,
    PageLeases,
    {
      provide: DeliveryRecorder,
      inject: [DeliveryStore, CLOCK, LOGGER, Shutdown, DeliveryMetrics, SendWindow],
      useFactory: (
        store: DeliveryStore,
        clock: Clock,
        logger: Logger,
        shutdown: Shutdown,
        metrics: DeliveryMetrics,
        window: SendWindow,
      ) => new DeliveryRecorder({ store, clock, logger, metrics, window, deadline: deadlineAfter(shutdown) }),
    },
    {
      provide: RunSupervisor,
      inject: [MessagesRepository, OwnerChangesRepository, CallDispatcher, DeliveryRecorder, LOGGER, Shutdown],
      useFactory: (
        messages: MessagesRepository,
        ownerChanges: OwnerChangesRepository,
        dispatcher: CallDispatcher,
        recorder: DeliveryRecorder,
        logger: Logger,
        shutdown: Shutdown,
      ) => new RunSupervisor({ messages, ownerChanges, dispatcher, recorder, logger, stopping: shutdown.signal }),
    },
    MessageDoneMarker,
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
    PageTelemetry,
    RetryEnqueuer,
    PromoCodeClaims,
    KeepCaps,
    ChooseEditions,
    RenderPageService,
    PagePacing,
    ClaimPageService,
    CompletePageService,
    AttemptPageService,
  ],
  exports: [AttemptPageService],
})
export class PageModule {
  constructor(routes: RoutesService, reports: RouteReports, heldPages: HeldPages) {
    reportRoutes(routes, reports, heldPages);
  }
}
