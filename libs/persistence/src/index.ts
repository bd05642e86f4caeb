export { createDataSource, MIGRATIONS } from './database/data-source';
export { DATABASE, inTransaction, rows } from './database/executor';
export type { Database, Executor } from './database/executor';
export { isDatabaseUnavailable } from './database/is-database-unavailable';
export { identifier, joined, literal, type Parameter, parameter, sql, Sql } from './sql';
export { preparedRows } from './database/prepared-rows';
export { migrate } from './database/migrate';
export { PersistenceModule, REPOSITORIES } from './module/persistence.module';
export { PartitionsRepository } from './partitions/partitions.repository';
export { inRetriedTransaction, isCollision, isLockedOut } from './database/retried-transaction';
export { QUERY_CANCELLED, sqlState, uniqueViolation } from './database/unique-violation';
export { ApplicationsRepository } from './applications/applications.repository';
export type { Application } from './applications/applications.repository';
export { TABLES_OF_APPLICATION } from './applications/tables-of-application';
export { AccessTokensRepository } from './tokens/access-tokens.repository';
export type { ShownAccessToken } from './tokens/access-tokens.repository';
export { VendorCredentialsRepository } from './vendors/vendor-credentials.repository';
export type { VendorCredentials } from './vendors/vendor-credentials.repository';
export { RoutesRepository } from './vendors/routes.repository';
export type { HoldReport, RouteState, VendorKey, VendorTrouble } from './vendors/routes.repository';
export type { VendorHealth, WorkerRoute } from './vendors/vendor-health';
export { DeadTokensRepository } from './vendors/dead-tokens.repository';
export type {
  CountedTokenAnswers,
  DeadTokensEnd,
  KnownTokenAnswers,
  SuspiciousAnswers,
} from './vendors/dead-tokens.repository';
export { TagsRepository } from './tags/tags.repository';
export type { UserTagEdit, UserTags } from './tags/tags-of-many-users';
export { TAG_CHUNK_BYTES, TagJobsRepository } from './tags/tag-jobs.repository';
export type {
  DueTagJob,
  TagFileFormat,
  TagJob,
  TagJobKey,
  TagLineError,
  TagOperation,
} from './tags/tag-jobs.repository';
export { UsersRepository } from './users/users.repository';
export type { ListedUser, User, UserOfDevice } from './users/users.repository';
export { PersonFactsRepository } from './users/person-facts.repository';
export type { FactsWanted, StoredDeviceFacts, StoredPerson, StoredUserFacts } from './users/person-facts.repository';
export { UserHistoryRepository } from './users/user-history.repository';
export type {
  MessagesOfUser,
  MessageStretch,
  OpenedLink,
  UserDelivery,
  UserDeliveryStretch,
  UserMessage,
} from './users/user-history.repository';
export { DevicesRepository } from './devices/devices.repository';
export type { InstallationOfUser, OwnerOfInstallation, UserDevice } from './devices/devices.repository';
export { HandOversRepository } from './devices/hand-overs.repository';
export { RegistrationsRepository } from './devices/registrations.repository';
export type { RegisteredInstallation } from './devices/registrations.repository';
export type { Installation } from './devices/installation';
export type { Registration, SentRegistration } from './devices/registration';
export { isProvedIn } from './devices/user-proof';
export type { RecordedDeliveries } from './deliveries/record-deliveries';
export { PARKED_AFTER_LOSSES } from './pages/claim-page.statement';
export type { Claim, ClaimedPage, PageDevice } from './pages/claim-page.statement';
export { groupIntoPages } from './pages/group-into-pages';
export type { HeldPage, PageKey } from './pages/page-key';
export { PagesRepository } from './pages/pages.repository';
export type { DuePage, Renewal, WokenWork } from './pages/pages.repository';
export type { Remainder, RetryPage, Settlement } from './pages/settle-page.statement';
export { CampaignsRepository } from './messages/campaigns.repository';
export type { PlannedCampaign, PlannedCampaignFilter } from './messages/campaigns.repository';
export type { MessageKey } from './messages/message-key';
export { MessagesRepository } from './messages/messages.repository';
export type {
  DueMessage,
  EndingInbox,
  MessageFilter,
  MessageRecord,
  MessageToPublish,
} from './messages/messages.repository';
export { PacingRepository } from './pacing/pacing.repository';
export type { LockedPaces, PageTurn, SteeredPage, StoredPace } from './pacing/pacing.repository';
export type { QuietZone } from './pacing/put-off-quiet.statement';
export type { DeadToken } from './devices/dead-token';
export { AdvisoryLocks } from './database/advisory-locks';
export { LOCK_IDS } from './database/lock-ids';
export { deleteOld } from './database/delete-old';
export { FallbacksRepository } from './fallbacks/fallbacks.repository';
export type {
  ClaimedFallback,
  FallbackFilter,
  FallbackHold,
  FallbackRecord,
  NewFallbacks,
  SleepingFallback,
} from './fallbacks/fallbacks.repository';
export type { FallbackClaim, FallbackVerdict } from './fallbacks/claim-fallbacks.statement';
export type { DueFallback } from './fallbacks/lock-due-fallbacks.statement';
export { FallbackAttemptsRepository } from './fallbacks/fallback-attempts.repository';
export type {
  FallbackAttempt,
  FallbackInquiry,
  FallbackReport,
  FallbackResult,
  LapsedFallbacks,
  UnwrittenFallback,
} from './fallbacks/fallback-attempts.repository';
export { OptedOutNumbersRepository } from './fallbacks/opted-out-numbers.repository';
export type { OptedOutNumber } from './fallbacks/opted-out-numbers.repository';
export { PhoneKeys } from './fallbacks/phone-keys.service';
export { IdempotencyRepository } from './idempotency/idempotency.repository';
export { inSnapshot } from './database/snapshot';
export { DeliveryReportsRepository } from './deliveries/delivery-reports.repository';
export type { DeliveryCount } from './deliveries/delivery-reports.repository';
export type { DeliveryRecord } from './deliveries/list-deliveries.statement';
export { ReceiptsRepository } from './receipts/receipts.repository';
export { ReceiptRecorder } from './receipts/receipt-recorder';
export type { DeviceReceipts, Receipt } from './receipts/receipt';
export { DAYS_REMEMBERED, ReportedEventsRepository } from './receipts/reported-events.repository';
export type { LinkOpen } from './receipts/reported-events.repository';
export type { Behavior } from './receipts/behavior';
export { checkAttributes } from './users/check-attributes';
export { HEAVY_DATABASE } from './heavy-reads/heavy-database';
export type { HeavyDatabase } from './heavy-reads/heavy-database';
export { HeavyReadsRepository } from './heavy-reads/heavy-reads.repository';
export type { HeavyRead } from './heavy-reads/heavy-reads.repository';
export { SegmentsRepository } from './segments/segments.repository';
export type { DueSegment, SavedRules, SavedSegment, SegmentSize } from './segments/segments.repository';
export { readQuietly } from './database/read-quietly';
export { ErasuresRepository } from './erasures/erasures.repository';
export type { Erasure, PageInHand } from './erasures/erasures.repository';
export { ErasedUsersRepository } from './erasures/erased-users.repository';
export type { ErasedUser } from './erasures/erased-users.repository';
export type { WebhookEventPlace } from './erasures/erase-from-webhook-events.statement';
export { patternOf } from './erasures/erased-names';
export { isBeingErased } from './database/being-erased';
export { ChannelsRepository } from './channels/channels.repository';
export type { ChannelSize, NamedMembers } from './channels/channels.repository';
export { recordDoneMessages } from './webhooks/record-done-messages';
export { GLOBAL_TRACK_ID, PROMO_CHUNK_BYTES } from './promo/promo-set';
export type { LowPromoSet, PromoSet, PromoSetKey, PromoSetState } from './promo/promo-set';
export { PromoSetsRepository } from './promo/promo-sets.repository';
export type { DuePromoSet, PromoSetFilter, PromoStock } from './promo/promo-sets.repository';
export { PromoUploadsRepository } from './promo/promo-uploads.repository';
export { PromoImportsRepository } from './promo/promo-imports.repository';
export type { PromoImport, PromoImportStep } from './promo/promo-imports.repository';
export { PromoCodesRepository } from './promo/promo-codes.repository';
export type { GivenThrough } from './promo/promo-codes.repository';
export type { PromoCodeWriter } from './promo/copy-promo-codes';
export { PromoAssignmentsRepository } from './promo/promo-assignments.repository';
export type { PromoAssignment, PromoAssignmentFilter, PromoCodeOfUser } from './promo/promo-assignments.repository';
export type { ClaimedPromoCode, PromoClaim } from './promo/claim-promo-codes.statement';
export { WebhooksRepository } from './webhooks/webhooks.repository';
export type { NewWebhook, Webhook, WebhookChange, WebhookCounts, WebhookKey } from './webhooks/webhooks.repository';
export { WebhookEventsRepository } from './webhooks/webhook-events.repository';
export type {
  ClaimedWebhookEvent,
  NewWebhookEvent,
  WebhookEventRecord,
  WebhookEventState,
} from './webhooks/webhook-events.repository';
export type { WebhookPatience, WebhookPenalty, WebhookResult } from './webhooks/record-attempt.statement';
export { EDGE_SILENCE_MS, edgeIsAlive } from './presence/edge-silence';
export { EdgesRepository } from './presence/edges.repository';
export type { Closure, ClosureReason } from './presence/edges.repository';
export { PresenceRepository } from './presence/presence.repository';
export type { Arrival, Departure, InstallationPresence, Presence } from './presence/presence.repository';
export { ConnectionSessionsRepository } from './presence/connection-sessions.repository';
export type { ConnectingDevice, KeptSession } from './presence/connection-sessions.repository';
export { HeldDeliveriesRepository } from './inbox/held-deliveries.repository';
export type { FailedPublish, Publish, ReadInboxes } from './inbox/held-deliveries.repository';
export type { WaitingAsk, WaitingMessage } from './inbox/find-waiting-on-edge.statement';
export type { HeldEnd, HeldOutcomes, NotHeld } from './inbox/record-held-outcomes.statement';
export type { HandedOver, HandedPage, HandOverTurn } from './inbox/handed-pages';
export { TrackersRepository } from './trackers/trackers.repository';
export type {
  DeferredClaim,
  Tracker,
  TrackerCount,
  TrackerSettings,
  TrackerTarget,
} from './trackers/trackers.repository';
export type { DeferredClick, TrackerClick } from './trackers/record-clicks.statement';
export { StatisticsRepository } from './statistics/statistics.repository';
export type {
  CampaignSum,
  CountedMessages,
  CountedTime,
  LinkClick,
  MessageCount,
  MessageCountKind,
  MessageSum,
  NamedCounts,
  RankedName,
  RankedNames,
} from './statistics/statistics.repository';
export { OverviewRepository } from './overview/overview.repository';
export type {
  DeviceCount,
  FirstSteps,
  LaggingWork,
  PromoShortage,
  SendSums,
  ThroughputPoint,
} from './overview/overview.repository';
export { InboxRepository } from './inbox/inbox.repository';
export type { InboxDevice, InboxMessage, InboxOwner } from './inbox/inbox.repository';
export { SealedValuesRepository } from './sealed/sealed-values.repository';
export type { ResealReport } from './sealed/sealed-values.repository';
export { SEALED_COLUMNS } from './sealed/sealed-columns';
export { SignInsRepository } from './sign-ins/sign-ins.repository';
