export { createDataSource, MIGRATIONS } from './database/data-source';
export { DATABASE, inTransaction, rows } from './database/executor';
export type { Database, Executor } from './database/executor';
export { isDatabaseUnavailable } from './database/is-database-unavailable';
export { preparedRows } from './database/prepared-rows';
export { migrate } from './database/migrate';
export { PersistenceModule } from './module/persistence.module';
export { ensurePartitions } from './partitions/ensure-partitions.query';
export { inRetriedTransaction, isCollision } from './database/retried-transaction';
export { sqlState, uniqueViolation } from './database/unique-violation';
export {
  deleteApplicationRow,
  findApplication,
  findIdentity,
  insertApplication,
  listApplications,
  updateApplication,
} from './applications/applications.repository';
export type { Application, ApplicationSettings, NewApplication } from './applications/applications.repository';
export { deleteApplicationRows, TABLES_OF_APPLICATION } from './applications/delete-application-rows.query';
export { insertToken, listTokens, revokeAllTokens, revokeToken } from './tokens/tokens.repository';
export type { NewToken, Token } from './tokens/tokens.repository';
export {
  deleteAllVendorCredentials,
  deleteVendorCredentials,
  findVendorCredentials,
  listVendorCredentials,
  putVendorCredentials,
} from './vendor-credentials/vendor-credentials.repository';
export type { VendorCredentials } from './vendor-credentials/vendor-credentials.repository';
export { lockUser } from './users/lock-user.query';
export type { UserTags } from './users/lock-user.query';
export { addUserTags, removeUserTags } from './users/edit-user-tags.query';
export { copyTagsToDevices } from './users/copy-tags-to-devices.query';
export { findUser } from './users/find-user.query';
export type { User } from './users/find-user.query';
export { lockUserAttributes, saveUserAttributes } from './users/lock-user-attributes.query';
export type { Installation } from './installations/installation';
export type { Registration } from './installations/registration';
export { insertInstallation, insertOwnInstallation } from './installations/insert-installation.query';
export type { RegisteredInstallation } from './installations/insert-installation.query';
export { refreshInstallation, updateInstallation } from './installations/update-installation.query';
export { updateDeviceToken } from './installations/update-device-token.query';
export type { DeviceTokenChange } from './installations/update-device-token.query';
export { evictTokenHolder } from './installations/evict-token-holder.query';
export { deleteInstallation } from './installations/delete-installation.query';
export { skipWaitingDeliveries } from './installations/skip-waiting-deliveries.query';
export { findInstallations } from './installations/find-installations.query';
export type { InstallationOfUser } from './installations/find-installations.query';
export { claimPage } from './pages/claim-page.query';
export type { Claim, ClaimedPage, PageDevice, PageKey } from './pages/claim-page.query';
export { completeMessages } from './pages/complete-messages.query';
export { findCancelledMessages } from './pages/find-cancelled-messages.query';
export type { MessageKey } from './pages/find-cancelled-messages.query';
export { flushPage } from './pages/flush-page.query';
export type { HeldPage } from './pages/flush-page.query';
export { renewLeases } from './pages/renew-leases.query';
export type { Renewal } from './pages/renew-leases.query';
export { settlePage } from './pages/settle-page.query';
export type { Remainder, RetryPage, Settlement } from './pages/settle-page.query';
export type { RecordedDeliveries } from './deliveries/recorded-deliveries';
export { switchOffTokens } from './installations/switch-off-token.query';
export type { DeadToken } from './installations/switch-off-token.query';
export { withAdvisoryLock } from './database/advisory-lock';
export { cancelMessage } from './messages/cancel-message.query';
export { findDueMessages } from './messages/find-due-messages.query';
export type { DueMessage } from './messages/find-due-messages.query';
export { postponeMessages } from './messages/postpone-messages.query';
export { findEndingInboxes } from './messages/find-ending-inboxes.query';
export type { EndingInbox } from './messages/find-ending-inboxes.query';
export { endInbox } from './messages/end-inbox.query';
export { findDuePages } from './pages/find-due-pages.query';
export type { DuePage } from './pages/find-due-pages.query';
export { postponePages } from './pages/postpone-pages.query';
export { dropOldPartitions } from './partitions/drop-old-partitions.query';
export { deleteOldIdempotencyKeys } from './idempotency/delete-old-idempotency-keys.query';
export { inSnapshot } from './database/snapshot';
export { countDeliveries } from './reading/count-deliveries.query';
export type { DeliveryCount } from './reading/count-deliveries.query';
export { findMessage } from './reading/find-message.query';
export { listDeliveries } from './reading/list-deliveries.query';
export type { DeliveryRecord } from './reading/list-deliveries.query';
export { listMessages } from './reading/list-messages.query';
export type { MessageFilter } from './reading/list-messages.query';
export type { MessageRecord } from './reading/message-record';
export { findPlannedCampaign, insertCampaign, listPlannedCampaigns } from './reading/planned-campaigns.query';
export type { PlannedCampaign } from './reading/planned-campaigns.query';
export {
  findInstallationOwner,
  lockInstallation,
  saveInstallationAttributes,
} from './installations/lock-installation.query';
export type { InstallationOwner } from './installations/lock-installation.query';
export { countInstallations } from './installations/count-installations.query';
export {
  addChannelMembers,
  countNamedInstallations,
  removeChannelMembers,
} from './installations/change-channel-members.query';
export type { ChannelMembers } from './installations/change-channel-members.query';
export { insertLinkOpens } from './receipts/insert-link-opens.query';
export type { LinkOpen } from './receipts/insert-link-opens.query';
export { recordReceipts } from './receipts/record-receipts.query';
export type { Receipts } from './receipts/record-receipts.query';
export { withTimeLimit } from './database/time-limit';
export { deleteSegment, insertSegment, updateSegment } from './segments/change-segments.query';
export type { NewSegment } from './segments/change-segments.query';
export { findSegment, listSegments } from './segments/find-segments.query';
export type { SavedRules, SavedSegment } from './segments/saved-segment';
export { insertFallbacks } from './fallbacks/insert-fallbacks.query';
export type { NewFallbacks } from './fallbacks/insert-fallbacks.query';
export { findDueFallbacks } from './fallbacks/find-due-fallbacks.query';
export { lockDueFallbacks } from './fallbacks/lock-due-fallbacks.query';
export type { DueFallback } from './fallbacks/lock-due-fallbacks.query';
export { claimFallbacks } from './fallbacks/claim-fallbacks.query';
export type { ClaimedFallback, FallbackClaim, FallbackVerdict } from './fallbacks/claim-fallbacks.query';
export { recordFallback } from './fallbacks/record-fallback.query';
export type { FallbackAttempt, FallbackResult } from './fallbacks/record-fallback.query';
export { lapseFallbacks } from './fallbacks/lapse-fallbacks.query';
export { takeInquiries } from './fallbacks/take-inquiries.query';
export type { FallbackInquiry } from './fallbacks/take-inquiries.query';
export { postponeFallbacks } from './fallbacks/postpone-fallbacks.query';
export type { FallbackHold } from './fallbacks/postpone-fallbacks.query';
export { reportFallback } from './fallbacks/report-fallback.query';
export type { FallbackReport } from './fallbacks/report-fallback.query';
export { countFallbacks } from './fallbacks/count-fallbacks.query';
export { listFallbacks } from './fallbacks/list-fallbacks.query';
export type { FallbackFilter, FallbackRecord } from './fallbacks/list-fallbacks.query';
export { deleteOldFallbacks } from './fallbacks/delete-old-fallbacks.query';
export { listUsers } from './user-data/list-users.query';
export type { ListedUser } from './user-data/list-users.query';
export { listUserDevices } from './user-data/list-user-devices.query';
export { readUserMessages } from './user-data/read-user-messages.query';
export type { MessagesOfUser, MessageStretch, UserMessage } from './user-data/read-user-messages.query';
export { findUserLinks } from './user-data/find-user-links.query';
export type { OpenedLink } from './user-data/find-user-links.query';
export {
  eraseDeliveries,
  eraseDevices,
  eraseFromMessages,
  eraseUserRow,
  findDevicesToErase,
} from './user-data/erase-user.query';
export { countMembers, listChannels, listMembers } from './channels/list-channels.query';
export type { ChannelMember, ChannelSize } from './channels/list-channels.query';
export { TAG_CHUNK_BYTES } from './bulk-tags/tag-job';
export type { TagFileFormat, TagJob, TagJobKey, TagJobStatus, TagOperation } from './bulk-tags/tag-job';
export { deleteTagJob, insertTagChunk, insertTagJob, startTagJob } from './bulk-tags/upload-tag-job.query';
export {
  findDueTagJobs,
  findTagErrors,
  findTagJob,
  postponeTagJob,
  readTagChunk,
} from './bulk-tags/read-tag-job.query';
export type { DueTagJob, TagLineError } from './bulk-tags/read-tag-job.query';
export { advanceTagJob, failTagJob, holdTagJob } from './bulk-tags/advance-tag-job.query';
export type { TagJobStep } from './bulk-tags/advance-tag-job.query';
export { editTagsOfUsers } from './bulk-tags/edit-tags-of-users.query';
export type { TagEditOutcome, UserTagEdit } from './bulk-tags/edit-tags-of-users.query';
