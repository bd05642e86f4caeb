import { CampaignTestsRepository } from '../campaign-tests/campaign-tests.repository';
import { Global, Inject, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { CONFIG, type Config, HealthRegistry, LOGGER, type Logger } from '@postrider/platform';
import type { DataSource } from 'typeorm';
import { ApplicationsRepository } from '../applications/applications.repository';
import { RemovalsRepository } from '../applications/removals.repository';
import { ArchiveRepository } from '../archive/archive.repository';
import { ChannelsRepository } from '../channels/channels.repository';
import { ClockKeeper } from '../clock/clock-keeper.service';
import { checkCommits } from '../database/commits-check';
import { checkDisk } from '../database/disk-check';
import { createDataSource } from './data-source';
import { DATABASE } from '../database/executor';
import { openDatabase } from '../database/open-database';
import { SchemaCheck } from '../migrations/schema-check.service';
import { StatementLimit } from '../database/statement-limit.service';
import { DeviceImportsRepository } from '../imports/device-imports.repository';
import { ImportsRepository } from '../imports/imports.repository';
import { DevicesRepository } from '../devices/devices.repository';
import { OwnerChangesRepository } from '../devices/owner-changes.repository';
import { RegistrationsRepository } from '../devices/registrations.repository';
import { HeavyReadsRepository } from '../heavy-reads/heavy-reads.repository';
import { PhoneKeys } from '../fallbacks/phone-keys.service';
import { DueWorkRepository } from '../due-work/due-work.repository';
import { BacklogRepository } from '../backlog/backlog.repository';
import { CampaignsRepository } from '../messages/campaigns.repository';
import { MessagesRepository } from '../messages/messages.repository';
import { PacingRepository } from '../pacing/pacing.repository';
import { QuietChangesRepository } from '../pacing/quiet-changes.repository';
import { PagesRepository } from '../pages/pages.repository';
import { PartitionsRepository } from '../partitions/partitions.repository';
import { SavedDraftsRepository } from '../drafts/saved-drafts.repository';
import { SavedTemplatesRepository } from '../templates/saved-templates.repository';
import { SegmentFieldsRepository } from '../segments/segment-fields.repository';
import { SegmentsRepository } from '../segments/segments.repository';
import { SignInsRepository } from '../sign-ins/sign-ins.repository';
import { TagJobsRepository } from '../tags/tag-jobs.repository';
import { TagsRepository } from '../tags/tags.repository';
import { AccessTokensRepository } from '../access-tokens/access-tokens.repository';
import { DeferredLinksRepository } from '../trackers/deferred-links.repository';
import { TrackersRepository } from '../trackers/trackers.repository';
import { WebhooksRepository } from '../webhooks/webhooks.repository';
import { WebhookEventsRepository } from '../webhooks/webhook-events.repository';
import { VendorCredentialsRepository } from '../vendors/vendor-credentials.repository';
import { RoutesRepository } from '../vendors/routes.repository';
import { DeadTokensRepository } from '../vendors/dead-tokens.repository';
import { FallbacksRepository } from '../fallbacks/fallbacks.repository';
import { FallbackAttemptsRepository } from '../fallbacks/fallback-attempts.repository';
import { OptedOutNumbersRepository } from '../fallbacks/opted-out-numbers.repository';
import { StatisticsRepository } from '../statistics/statistics.repository';
import { OverviewRepository } from '../overview/overview.repository';
import { SealedValuesRepository } from '../sealed/sealed-values.repository';
import { DeliveryReportsRepository } from '../delivery-reports/delivery-reports.repository';
import { PromoAssignmentsRepository } from '../promo/promo-assignments.repository';
import { PromoCodesRepository } from '../promo/promo-codes.repository';
import { PromoImportsRepository } from '../promo/promo-imports.repository';
import { PromoSetsRepository } from '../promo/promo-sets.repository';
import { PromoUploadsRepository } from '../promo/promo-uploads.repository';
import { ReceiptsRepository } from '../receipts/receipts.repository';
import { ReportedEventsRepository } from '../receipts/reported-events.repository';
import { TrackedEventsRepository } from '../receipts/tracked-events.repository';
import { RemovedTokensRepository } from '../vendors/removed-tokens.repository';
import { IdempotencyRepository } from '../idempotency/idempotency.repository';
import { WaitingDeliveriesRepository } from '../waiting/waiting-deliveries.repository';
import { InboxRepository } from '../inbox/inbox.repository';
import { ErasedUsersRepository } from '../erasures/erased-users.repository';
import { ErasuresRepository } from '../erasures/erasures.repository';
import { PlannerStatisticsRepository } from '../planner-statistics/planner-statistics.repository';
import { PersonFactsRepository } from '../users/person-facts.repository';
import { UserHistoryRepository } from '../users/user-history.repository';
import { UsersRepository } from '../users/users.repository';
import { ConnectionSessionsRepository } from '../presence/connection-sessions.repository';
import { EdgesRepository } from '../edges/edges.repository';
import { PresenceRepository } from '../presence/presence.repository';
import { ContactsRepository } from '../contacts/contacts.repository';
import { WorkersRepository } from '../workers/workers.repository';

/** The repositories: each reads and writes the rows of one noun. */
export const REPOSITORIES = [
  CampaignTestsRepository,
  AccessTokensRepository,
  ApplicationsRepository,
  RemovalsRepository,
  ArchiveRepository,
  BacklogRepository,
  DueWorkRepository,
  CampaignsRepository,
  ChannelsRepository,
  ConnectionSessionsRepository,
  ContactsRepository,
  MessagesRepository,
  PacingRepository,
  QuietChangesRepository,
  PagesRepository,
  DeadTokensRepository,
  DeliveryReportsRepository,
  DeviceImportsRepository,
  DevicesRepository,
  EdgesRepository,
  ErasedUsersRepository,
  ErasuresRepository,
  FallbackAttemptsRepository,
  FallbacksRepository,
  OwnerChangesRepository,
  HeavyReadsRepository,
  WaitingDeliveriesRepository,
  IdempotencyRepository,
  ImportsRepository,
  InboxRepository,
  OptedOutNumbersRepository,
  OverviewRepository,
  PartitionsRepository,
  PersonFactsRepository,
  PlannerStatisticsRepository,
  PresenceRepository,
  PromoAssignmentsRepository,
  PromoCodesRepository,
  PromoImportsRepository,
  PromoSetsRepository,
  PromoUploadsRepository,
  ReceiptsRepository,
  RegistrationsRepository,
  RemovedTokensRepository,
  ReportedEventsRepository,
  RoutesRepository,
  SavedDraftsRepository,
  SavedTemplatesRepository,
  SealedValuesRepository,
  SegmentFieldsRepository,
  SegmentsRepository,
  SignInsRepository,
  StatisticsRepository,
  TagJobsRepository,
  TagsRepository,
  TrackedEventsRepository,
  DeferredLinksRepository,
  TrackersRepository,
  UserHistoryRepository,
  UsersRepository,
  VendorCredentialsRepository,
  WebhookEventsRepository,
  WebhooksRepository,
  WorkersRepository,
];

/**
 * Provides the process's one pool of connections to PostgreSQL, opened before anything that needs it, and keeps the
 * clock of the process.
 */
@Global()
@Module({
  providers: [
    {
      provide: DATABASE,
      inject: [CONFIG, LOGGER],
      useFactory: (config: Config, logger: Logger) =>
        openDatabase(createDataSource(config.databaseUrl, config.databasePoolSize), logger),
    },
    SchemaCheck,
    StatementLimit,
    ClockKeeper,
    PhoneKeys,
    ...REPOSITORIES,
  ],
  exports: [DATABASE, PhoneKeys, ...REPOSITORIES],
})
export class PersistenceModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    @Inject(DATABASE) private readonly database: DataSource,
    private readonly health: HealthRegistry,
  ) {}

  onModuleInit(): void {
    this.health.register('postgres', () => checkCommits(this.database), { critical: true });
    this.health.register('disk', () => checkDisk(this.database), { critical: false });
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.database.isInitialized) await this.database.destroy();
  }
}
