export { type RecipientForms, readPreview, readSend, readSendElement, type SendReading } from './messages/read-send';
export type { SendRecipients, SendRequest } from './messages/send';
export { PreviewRequest, SendToGroupRequest, SendToUserRequest, SendToUsersRequest } from './messages/send.request';
export { SendResponse, SendSpanResponse } from './messages/send.response';
export { DevicePreviewResponse, PreviewResponse, UserPreviewResponse } from './messages/preview.response';
export {
  ListDeliveriesQuery,
  ListFallbacksQuery,
  ListMessagesQuery,
  MessageDevicesQuery,
} from './messages/message-lists.request';
export {
  type DeliveryTotals,
  MessageResponse,
  MessagesResponse,
  MessageSummaryResponse,
} from './messages/message.response';
export {
  DeliveriesResponse,
  DeliveryResponse,
  FallbackResponse,
  FallbacksResponse,
  MessageDeviceResponse,
  MessageDevicesResponse,
  SmsReportResponse,
} from './messages/delivery.response';
export { CampaignsResponse, NewCampaignRequest, PlannedCampaignResponse } from './messages/campaigns';
export { InboxMessageResponse, InboxQuery, InboxResponse } from './messages/inbox';
export { noteProblems, problemsNotedOf, Problems } from './fields/problems';
export { COUNT_SCHEMA, CountResponse } from './fields/count.response';
export { UserPath } from './users/user-path';
export { readRegistration } from './installations/registration.request';
export type { RegistrationRequest } from './installations/registration.request';
export { readDeviceTokenRequest } from './installations/device-token.request';
export type { DeviceTokenRequest } from './installations/device-token.request';
export { readInstallationFilter } from './installations/installation-filter.request';
export type { InstallationResponse } from './installations/installation.response';
export { DEVICE_TOKEN_SCHEMA, INSTALLATION_SCHEMA, REGISTRATION_SCHEMA } from './installations/installation.schema';
export { MOST_TAGS, TagOfUserRequest, TagPath, TagsQuery, TagsRequest, ValueTagRequest } from './tags/tags.request';
export { makeRequest } from './validation/class-plan';
export { problemsOf, readRequest, validateRequest } from './validation/read-request';
export { type Listed, makeCursor } from './validation/paging';
export { readApplicationChanges, readNewApplication } from './admin/application.request';
export type { ApplicationSettingsRequest, NewApplicationRequest } from './admin/application.request';
export { readNewToken } from './admin/token.request';
export type { NewTokenRequest } from './admin/token.request';
export type {
  ApplicationResponse,
  NewApplicationResponse,
  NewTokenResponse,
  TokenResponse,
  VendorCheckResponse,
  VendorResponse,
} from './admin/admin.response';
export {
  APPLICATION_CHANGES_SCHEMA,
  APPLICATION_SCHEMA,
  CREATED_APPLICATION_SCHEMA,
  CREATED_TOKEN_SCHEMA,
  NEW_APPLICATION_SCHEMA,
  NEW_TOKEN_SCHEMA,
  TOKEN_SCHEMA,
  VENDOR_CHECK_SCHEMA,
  VENDOR_CREDENTIALS_SCHEMA,
  VENDOR_SCHEMA,
} from './admin/admin.schema';
export type { AttributeValue } from './installations/attribute-value';
export { readAttributes, readIncrement } from './installations/attributes.request';
export type { AttributesRequest, IncrementRequest } from './installations/attributes.request';
export { readChannelMembers } from './installations/channel-members.request';
export type { ChannelMembersRequest } from './installations/channel-members.request';
export { behaviorsOf, readDeviceEvents, receiptsOf } from './installations/device-events.request';
export type {
  DeviceEvent,
  DeviceEventsRequest,
  ReportedBehavior,
  ReportedReceipt,
} from './installations/device-events.request';
export { readUserInfo } from './installations/user-info.request';
export type { AttributeChange, UserInfoRequest } from './installations/user-info.request';
export {
  ATTRIBUTES_OF_USER_SCHEMA,
  ATTRIBUTES_SCHEMA,
  CHANNEL_MEMBERS_SCHEMA,
  DEVICE_EVENTS_SCHEMA,
  INCREMENT_SCHEMA,
  USER_INFO_SCHEMA,
} from './installations/device-data.schema';
export { readGroupRequest, readListSegments, readSegmentRequest } from './segments/segment.request';
export { readSegmentSizes, SEGMENT_SIZES_SCHEMA } from './segments/segment-sizes';
export type { SegmentSizesRequest, SegmentSizesResponse } from './segments/segment-sizes';
export type {
  GroupRequest,
  ListSegmentsRequest,
  RulesRequest,
  SegmentRequest,
  UnjudgedRequest,
} from './segments/segment.request';
export type {
  ExplainedDeviceResponse,
  RuleEffectResponse,
  SegmentCountResponse,
  SegmentExplanationResponse,
  SegmentResponse,
} from './segments/segment.response';
export {
  COUNT_GROUP_SCHEMA,
  EXPLAIN_GROUP_SCHEMA,
  GROUP_BODY_SCHEMA,
  SEGMENT_BODY_SCHEMA,
  SEGMENT_COUNT_SCHEMA,
  SEGMENT_EXPLANATION_SCHEMA,
  SEGMENT_SCHEMA,
  SEGMENTS_SCHEMA,
} from './segments/segments.schema';
export { readListUserDeliveries, USER_DELIVERIES_SCHEMA } from './users/user-deliveries';
export type { ListUserDeliveriesRequest, UserDeliveryResponse } from './users/user-deliveries';
export { readListUsers } from './users/user.request';
export type { ListUsersRequest } from './users/user.request';
export type { ErasureResponse, ListedUserResponse, UserResponse } from './users/user.response';
export { ERASURE_SCHEMA, USER_EXPORT_SCHEMA, USER_SCHEMA, USERS_SCHEMA } from './users/users.schema';
export { readListChannels, readListMembers } from './channels/channel.request';
export type { ListChannelsRequest, ListMembersRequest } from './channels/channel.request';
export { CHANNEL_SCHEMA, CHANNELS_SCHEMA, MEMBERS_SCHEMA } from './channels/channel.response';
export type { ChannelMemberResponse, ChannelResponse } from './channels/channel.response';
export { readBulkTags } from './bulk-tags/bulk-tags.request';
export type { BulkTagsRequest } from './bulk-tags/bulk-tags.request';
export { ACCEPTED_TAG_JOB_SCHEMA, TAG_JOB_SCHEMA } from './bulk-tags/bulk-tags.response';
export type { TagJobResponse } from './bulk-tags/bulk-tags.response';
export { readListWebhookEvents, readNewSecret, readNewWebhook, readWebhookChange } from './webhooks/webhook.request';
export type {
  ListWebhookEventsRequest,
  NewWebhookRequest,
  WebhookChangeRequest,
  WebhookRules,
} from './webhooks/webhook.request';
export type {
  WebhookAttemptResponse,
  WebhookDeliveryResponse,
  WebhookResponse,
  WebhookSecretResponse,
} from './webhooks/webhook.response';
export {
  NEW_SECRET_SCHEMA,
  NEW_WEBHOOK_SCHEMA,
  WEBHOOK_CHANGE_SCHEMA,
  WEBHOOK_DELIVERIES_SCHEMA,
  WEBHOOK_EVENT_ID_SCHEMA,
  WEBHOOK_SCHEMA,
  WEBHOOK_SECRET_SCHEMA,
  WEBHOOKS_SCHEMA,
} from './webhooks/webhooks.schema';
export { readOverview } from './overview/overview.request';
export type { OverviewRequest } from './overview/overview.request';
export { OVERVIEW_SCHEMA } from './overview/overview.response';
export type { AttentionResponse, OverviewResponse } from './overview/overview.response';
export { readListTrackers, readNewTracker, readTrackerChanges } from './trackers/tracker.request';
export type { ListTrackersRequest, TrackerPlatforms, TrackerRequest } from './trackers/tracker.request';
export { readDeferredLinkDecision } from './trackers/deferred-link.request';
export type { DeferredLinkDecision } from './trackers/deferred-link.request';
export type { TrackerResponse, TrackerStatsResponse, TrackerTotals } from './trackers/tracker.response';
export {
  DEFERRED_DECISION_SCHEMA,
  NEW_TRACKER_SCHEMA,
  TRACKER_CHANGES_SCHEMA,
  TRACKER_SCHEMA,
  TRACKER_STATS_SCHEMA,
  TRACKERS_SCHEMA,
} from './trackers/trackers.schema';
export { readStats, readStatsList } from './statistics/stats.request';
export type { StatsListRequest } from './statistics/stats.request';
export type { StatsRequest } from './statistics/stats.request';
export type { EngagementTotals, RevenueTotal, StatsListResponse, StatsResponse } from './statistics/stats.response';
export { STATS_LIST_SCHEMA, STATS_SCHEMA } from './statistics/statistics.schema';
export {
  APPLIED_QUARANTINE_SCHEMA,
  RELEASED_QUARANTINE_SCHEMA,
  ROUTE_RETRY_SCHEMA,
  VENDORS_HEALTH_SCHEMA,
} from './operations/operations.response';
export type {
  AppliedQuarantineResponse,
  ReleasedQuarantineResponse,
  RouteRetryResponse,
  VendorHealthResponse,
  VendorTroubleResponse,
  WorkerRouteResponse,
} from './operations/operations.response';
export {
  readListPromoAssignments,
  readListPromoSets,
  readPromoSetChange,
  readPromoUpload,
} from './promo/promo.request';
export type {
  ListPromoAssignmentsRequest,
  ListPromoSetsRequest,
  PromoSetChangeRequest,
  PromoUploadRequest,
} from './promo/promo.request';
export type {
  AcceptedPromoUploadResponse,
  PromoAssignmentResponse,
  PromoJobResponse,
  PromoSetResponse,
  PromoUploadResponse,
} from './promo/promo.response';
export {
  ACCEPTED_PROMO_UPLOAD_SCHEMA,
  PROMO_ASSIGNMENTS_SCHEMA,
  PROMO_FILE_SCHEMA,
  PROMO_JOB_SCHEMA,
  PROMO_SET_CHANGE_SCHEMA,
  PROMO_SET_SCHEMA,
  PROMO_SETS_SCHEMA,
  PROMO_UPLOAD_SCHEMA,
} from './promo/promo.schema';
export { PRESENCE_SCHEMA } from './installations/presence.response';
export type { PresenceResponse } from './installations/presence.response';
export { OPTED_OUT_NUMBERS_SCHEMA, readListOptedOutNumbers } from './operations/opted-out-numbers.request';
export type { ListOptedOutNumbersRequest, OptedOutNumberResponse } from './operations/opted-out-numbers.request';
