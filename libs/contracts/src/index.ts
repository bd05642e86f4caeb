export { elementsOf, isBatch, readElement, readSend } from './sending/read-send';
export type { SendLimits, SendReading } from './sending/read-send';
export type { RecipientForms } from './sending/read-recipients';
export type { SendRecipients, SendRequest } from './sending/send.request';
export { noteProblems, problemsNotedOf, Problems } from './fields/problems';
export { BY_QUERY_BODY, NOTIFY_USERS_BODY, SEND_ANSWER_SCHEMA, TO_USERS_BODY } from './sending/send.schema';
export { readPreview } from './sending/preview.request';
export type { PreviewRequest } from './sending/preview.request';
export type { DevicePreviewResponse, PreviewResponse, UserPreviewResponse } from './sending/preview.response';
export { PREVIEW_ANSWER_SCHEMA, PREVIEW_BODY } from './sending/send.schema';
export {
  MOST_TAGS,
  TagFileQuery,
  TagOfUserRequest,
  TagPath,
  TagsQuery,
  TagsRequest,
  ValueTagRequest,
} from './tags/tags.request';
export { problemsOf, readRequest, TRANSFORMATION, VALIDATION } from './validation/read-request';
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
export { makeCursor } from './reading/cursor';
export { readListMessages } from './reading/list-messages.request';
export type { ListMessagesRequest } from './reading/list-messages.request';
export { readListDeliveries } from './reading/list-deliveries.request';
export type { ListDeliveriesRequest } from './reading/list-deliveries.request';
export { readNewCampaign } from './reading/campaign.request';
export type { NewCampaignRequest } from './reading/campaign.request';
export type {
  DeliveryResponse,
  DeliveryTotals,
  Listed,
  MessageResponse,
  MessageSummaryResponse,
  PlannedCampaignResponse,
} from './reading/message.response';
export {
  CAMPAIGNS_SCHEMA,
  DELIVERIES_SCHEMA,
  MESSAGE_SCHEMA,
  MESSAGES_SCHEMA,
  NEW_CAMPAIGN_SCHEMA,
  PLANNED_CAMPAIGN_SCHEMA,
} from './reading/reading.schema';
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
export { AttributeIncrement, AttributesRequest, IncrementRequest } from './devices/attributes.request';
export type { AttributeValue } from './devices/attribute-value';
export {
  BehaviorEventRequest,
  behaviorsOf,
  deviceEventsOf,
  DeviceEventsRequest,
  LinkEventRequest,
  ReceiptEventRequest,
  receiptsOf,
} from './devices/device-events.request';
export type { DeviceEvent, ReportedBehavior, ReportedReceipt } from './devices/device-events.request';
export { CountResponse, InstallationResponse, PresenceResponse } from './devices/installation.response';
export { InstallationsQuery } from './devices/installations.query';
export { clientVersionOf, LocationRequest, RegistrationRequest } from './devices/registration.request';
export {
  attributeChangesOf,
  AttributeMetaRequest,
  UserInfoMetaRequest,
  UserInfoRequest,
} from './devices/user-info.request';
export type { AttributeChange } from './devices/user-info.request';
export { DeviceTokenRequest, vendorTokenOf } from './devices/vendor-token.request';
export { UserPath } from './users/user-id';
export { ListUserDeliveriesQuery, ListUsersQuery } from './users/user.request';
export {
  ErasureResponse,
  ListedUserResponse,
  OpenedLinkResponse,
  UserDeliveryListResponse,
  UserDeliveryResponse,
  UserDeviceResponse,
  UserExportResponse,
  UserListResponse,
  UserResponse,
} from './users/user.response';
export {
  ChannelMembersRequest,
  ChannelPath,
  ListChannelMembersQuery,
  ListChannelsQuery,
} from './channels/channel.request';
export {
  ChannelListResponse,
  ChannelMemberListResponse,
  ChannelMemberResponse,
  ChannelResponse,
} from './channels/channel.response';
export { AcceptedTagFileResponse, RefusedTagLineResponse, TagJobResponse } from './tags/tag-file.response';
export { readListFallbacks } from './reading/list-fallbacks.request';
export type { ListFallbacksRequest } from './reading/list-fallbacks.request';
export type { FallbackResponse } from './reading/message.response';
export { FALLBACKS_SCHEMA, SMS_REPORT_SCHEMA } from './reading/reading.schema';
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
export { readInboxRequest } from './inbox/inbox.request';
export type { InboxRequest } from './inbox/inbox.request';
export type { InboxMessageResponse, InboxResponse } from './inbox/inbox.response';
export { INBOX_SCHEMA } from './inbox/inbox.schema';
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
export { MESSAGE_DEVICE_SCHEMA, MESSAGE_DEVICES_SCHEMA, readMessageDevices } from './reading/message-devices';
export type { MessageDeviceResponse } from './reading/message-devices';
export { OPTED_OUT_NUMBERS_SCHEMA, readListOptedOutNumbers } from './operations/opted-out-numbers.request';
export type { ListOptedOutNumbersRequest, OptedOutNumberResponse } from './operations/opted-out-numbers.request';
