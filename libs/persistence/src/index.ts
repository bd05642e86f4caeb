export {
  CampaignTestsRepository,
  type CountedCampaign,
  type TestFigures,
} from './campaign-tests/campaign-tests.repository';
export { isWithin, placesOfUser, variantOfUser } from './campaign-tests/campaign-places';
// Statements, and what they run on
export { identifier, joined, literal, type Parameter, parameter, sql, Sql, template } from './sql';
export { AdvisoryLocks } from './database/advisory-locks';
export { checkCommits } from './database/commits-check';
export { createDataSource } from './module/data-source';
export { migrate } from './migrations/migrate';
export { MIGRATIONS } from './migrations/migrations';
export {
  DATABASE,
  type Database,
  doNotWaitForDisk,
  type Executor,
  inSnapshot,
  inTransaction,
  rows,
} from './database/executor';
export { isDatabaseUnavailable, isOutcomeUnknown } from './database/is-database-unavailable';
export { LOCK_IDS } from './database/lock-ids';
export { openDatabase } from './database/open-database';
export { orAlone } from './database/or-alone';
export { OutageWarning } from './database/outage-warning';
export { preparedRowsOfDay, preparedRows } from './database/prepared-rows';
export { readInBackground } from './database/read-in-background';
export { inRetriedTransaction, isCollision, retryCollisions } from './database/retried-transaction';
export {
  isBeingErased,
  isPartitionMissing,
  isUndefinedTable,
  QUERY_CANCELLED,
  sqlState,
  uniqueViolation,
} from './database/sql-state';
export { PersistenceModule, REPOSITORIES } from './module/persistence.module';
export { PlannerStatisticsRepository } from './planner-statistics/planner-statistics.repository';

// Applications, and who may do what
export {
  type Application,
  ApplicationsRepository,
  type StoredIdentityKeys,
} from './applications/applications.repository';
export { type Removal, RemovalsRepository } from './applications/removals.repository';
export { TABLES_OF_APPLICATION } from './applications/tables-of-application';
export { AccessTokensRepository, type ShownAccessToken } from './access-tokens/access-tokens.repository';
export { SignInsRepository } from './sign-ins/sign-ins.repository';
export { SEAL_CONTEXTS } from './sealed/seal-contexts';
export { type ResealReport, SEALED_COLUMNS, SealedValuesRepository } from './sealed/sealed-values.repository';
export { IdempotencyRepository } from './idempotency/idempotency.repository';
export { KEY_COLUMNS, takeKeysSql } from './idempotency/take-keys.statement';

// Users and their devices
export { PersonFactsRepository, type StoredPerson, type StoredUserFacts } from './users/person-facts.repository';
export { type UserDelivery, UserHistoryRepository } from './users/user-history.repository';
export {
  checkAttributes,
  TooManyAttributes,
  type ListedUser,
  type UsersAsked,
  UsersRepository,
  type WholeUser,
} from './users/users.repository';
export { DevicesRepository, type InstallationOfUser, type OwnerOfInstallation } from './devices/devices.repository';
export { OwnerChangesRepository } from './devices/owner-changes.repository';
export type { DeadToken, Installation } from './devices/installation';
export { isFirstOwner } from './devices/ownership';
export { isProvedBy, isProvedIn } from './devices/user-proof';
export type { Registration, SentRegistration } from './devices/registration';
export { type RegisteredInstallation, RegistrationsRepository } from './devices/registrations.repository';
export { type ChannelSize, ChannelsRepository, type NamedMembers } from './channels/channels.repository';
export { ContactsRepository } from './contacts/contacts.repository';
export {
  type DueFileJob,
  FILE_CHUNK_BYTES,
  type FileJobKey,
  FileJobsRepository,
  type LineError,
} from './file-jobs/file-jobs.repository';
export {
  type DeviceImport,
  DeviceImportsRepository,
  type ImportCounts,
  type TokenValidation,
} from './imports/device-imports.repository';
export type { DeviceToImport, TokenHolder } from './imports/imported-devices.statement';
export { type ImportedUser, ImportsRepository, type ImportTarget } from './imports/imports.repository';
export { type TagFileFormat, type TagJob, TagJobsRepository, type TagOperation } from './tags/tag-jobs.repository';
export type { UserTagEdit, UserTags } from './tags/tags-of-many-users';
export { TagsRepository } from './tags/tags.repository';
export { SegmentFieldsRepository } from './segments/segment-fields.repository';
export {
  type DueSegment,
  type SavedRules,
  type MeasuredSegment,
  type SavedSegment,
  type SegmentSize,
  SegmentsRepository,
} from './segments/segments.repository';
export type { WebhookEventPlace } from './erasures/erase-from-webhook-events.statement';
export { patternOf } from './erasures/erase-messages.statement';
export { type ErasedUser, ErasedUsersRepository } from './erasures/erased-users.repository';
export { type Erasure, ErasuresRepository } from './erasures/erasures.repository';

// Messages and their deliveries
export { CampaignsRepository, type PlannedCampaign } from './messages/campaigns.repository';
export type { LeasedPage, MessageKey, PageKey } from './partitions/message-key';
export type { MessageFilter } from './messages/message-filter';
export { MessagesRepository } from './messages/messages.repository';
export type { MessageToPublish } from './messages/messages-to-publish.statement';
export type { ListedMessage, MessageFacts, MessageRecord, StoredAudience } from './messages/message-record';
export { type Claim, type ClaimedPage, type PageDevice, PARKED_AFTER_LOSSES } from './pages/claim-page.statement';
export type { UnknownClaim } from './pages/undo-losses.statement';
export { groupIntoPages } from './pages/group-into-pages';
export { PAGE_ENQUEUED_AHEAD } from './pages/page-times';
export { type EndedPage, PagesRepository, type WithEndings } from './pages/pages.repository';
export type { PageEnding, Remainder, RetryPage, Settlement } from './pages/settle-page.statement';
export { PacingRepository, type MessageLimits, type SteeredPage } from './pacing/pacing.repository';
export { type QuietChange, QuietChangesRepository } from './pacing/quiet-changes.repository';
export {
  type DeliveryCount,
  DeliveryReportsRepository,
  type DeliveryStretch,
} from './delivery-reports/delivery-reports.repository';
export type { DeliveryRecord } from './delivery-reports/list-deliveries.statement';
export { noOutcomes, type RecordedDeliveries } from './deliveries/record-deliveries';
export { findPackedDetails } from './packs/find-packed-details';
export type { WaitingMessage } from './waiting/find-waiting.statement';
export type { DueConnectionPage, PagesToOpen } from './waiting/open-connection-pages.statement';
export {
  WaitingDeliveriesRepository,
  type Publish,
  type PublishInLanguage,
  type ReadWaiting,
} from './waiting/waiting-deliveries.repository';
export { type InboxMessage, type InboxOwner, InboxRepository } from './inbox/inbox.repository';
export type { EdgeEnd, EdgeOutcomes } from './waiting/record-edge-outcomes.statement';
export {
  type ConnectingDevice,
  ConnectionSessionsRepository,
  type KeptSession,
} from './presence/connection-sessions.repository';
export {
  type Closure,
  type ClosureReason,
  type Connection,
  EDGE_SILENCE_MS,
  edgeIsAlive,
  EdgesRepository,
} from './edges/edges.repository';
export type { Arrival } from './presence/enter-presence.statement';
export { type Departure, type LeftSession, type Presence, PresenceRepository } from './presence/presence.repository';

// What devices report
export { attributesOfEvent } from './receipts/behavior';
export type { DeviceReceipts } from './receipts/receipt';
export { ReceiptRecorder } from './receipts/receipt-recorder';
export { ReceiptsRepository } from './receipts/receipts.repository';
export { DAYS_REMEMBERED, type LinkOpen, ReportedEventsRepository } from './receipts/reported-events.repository';
export { type TrackedEvent, TrackedEventsRepository } from './receipts/tracked-events.repository';
export type { DueFallback, FallbackVerdict, SmsAccount } from './fallbacks/claim-fallbacks.statement';
export {
  FallbackAttemptsRepository,
  type FallbackInquiry,
  type FallbackReport,
  type FallbackResult,
} from './fallbacks/fallback-attempts.repository';
export {
  type FallbackRecord,
  FallbacksRepository,
  type NewFallbacks,
  type PostponedFallback,
} from './fallbacks/fallbacks.repository';
export { createFallbackCounter } from './fallbacks/fallback-counter';
export { OptedOutNumbersRepository } from './fallbacks/opted-out-numbers.repository';
export { PhoneKeys } from './fallbacks/phone-keys.service';

// Sums
export {
  type CountedMessages,
  type LinkClick,
  type MessageCount,
  type MessageCountKind,
  type MessageEngagement,
  type MessageSum,
  type NamedCounts,
  type RankedName,
  type RankedPlace,
  StatisticsRepository,
} from './statistics/statistics.repository';
export {
  type CampaignDay,
  type DeviceCount,
  type LaggingWork,
  OverviewRepository,
  type PromoShortage,
  type SendSums,
  type SkipCount,
  type ThroughputPoint,
} from './overview/overview.repository';
export {
  HEAVY_DATABASE,
  type HeavyDatabase,
  type HeavyRead,
  HeavyReadsRepository,
} from './heavy-reads/heavy-reads.repository';

// Promo codes
export type { PromoClaim } from './promo/claim-promo-codes.statement';
export type { PromoCodeWriter } from './promo/copy-promo-codes';
export { type PromoAssignment, PromoAssignmentsRepository } from './promo/promo-assignments.repository';
export { type GivenThrough, PromoCodesRepository } from './promo/promo-codes.repository';
export { type PromoImport, PromoImportsRepository, type PromoImportStep } from './promo/promo-imports.repository';
export {
  GLOBAL_TRACK_ID,
  type LowPromoSet,
  PROMO_CHUNK_BYTES,
  type PromoSet,
  type PromoSetKey,
  type PromoSetState,
} from './promo/promo-set';
export { type DuePromoSet, PromoSetsRepository, type PromoStock } from './promo/promo-sets.repository';
export { PromoUploadsRepository } from './promo/promo-uploads.repository';

// Drafts
export {
  type DraftSave,
  type DraftSummary,
  type SavedDraft,
  SavedDraftsRepository,
  type SentDraft,
} from './drafts/saved-drafts.repository';

// Templates
export {
  type SavedTemplate,
  SavedTemplatesRepository,
  type TemplateSave,
  type TemplateSummary,
} from './templates/saved-templates.repository';

// Trackers
export type { DeferredClick, TrackerClick } from './trackers/record-clicks.statement';
export { type DeferredClaim, DeferredLinksRepository } from './trackers/deferred-links.repository';
export {
  type Tracker,
  type TrackerCount,
  type TrackerPlace,
  type TrackerSettings,
  TrackersRepository,
  type TrackerTarget,
} from './trackers/trackers.repository';

// Vendors
export {
  type CountedTokenAnswers,
  type DeadTokensEnd,
  DeadTokensRepository,
  type KnownTokenAnswers,
} from './vendors/dead-tokens.repository';
export { RoutesRepository, type RouteState, type VendorKey, type VendorTrouble } from './vendors/routes.repository';
export {
  openCredentials,
  type VendorCredentials,
  VendorCredentialsRepository,
} from './vendors/vendor-credentials.repository';
export type { VendorHealth } from './vendors/vendor-health';

export { RemovedTokensRepository } from './vendors/removed-tokens.repository';

// Webhooks
export { recordDoneAtOnce } from './webhooks/event-inserts';
export type { WebhookPenalty, WebhookResult } from './webhooks/record-attempt.statement';
export {
  type ClaimedWebhookEvent,
  type WebhookEventRecord,
  WebhookEventsRepository,
} from './webhooks/webhook-events.repository';
export { type Webhook, type WebhookCounts, type WebhookKey, WebhooksRepository } from './webhooks/webhooks.repository';
export { openWebhookSecrets, sealWebhookSecrets } from './webhooks/webhook-secrets';

// What waits for a worker
export {
  dueCampaignTests,
  dueCancelledMessages,
  dueConnectionPages,
  dueDeadTokens,
  dueFallbacks,
  dueMessages,
  duePages,
  duePromoSets,
  dueSegments,
  dueWebhooks,
  endedWaits,
  INTERRUPTED_ERASURES,
  INTERRUPTED_REMOVALS,
  latelyGuarded,
  lateOnConnections,
  QUIET_CHANGES,
} from './due-work/due-rows';
export { DueWorkRepository } from './due-work/due-work.repository';
export { type Backlog, BacklogRepository } from './backlog/backlog.repository';

// Processes that hold pages
export { WorkerPresence } from './workers/worker-presence.service';
export { WorkersRepository } from './workers/workers.repository';

// Archives
export { ArchiveRepository, infiniteTimeOf } from './archive/archive.repository';

// Partitions
export { dayOfMessage, type LedgerDay, rowsOfDay } from './partitions/ledger-day';
export { PartitionsRepository } from './partitions/partitions.repository';
