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
export {
  CountGroupRequest,
  ExplainGroupRequest,
  GroupRequest,
  RulesRequest,
  SegmentRequest,
  SegmentSizesQuery,
  SegmentsQuery,
} from './segments/segment.request';
export {
  ExplainedDeviceResponse,
  RuleEffectResponse,
  SegmentCountResponse,
  SegmentExplanationResponse,
  SegmentResponse,
  SegmentSizesResponse,
  SegmentsResponse,
} from './segments/segment.response';
export { readablePart } from './validation/field';
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
export { OverviewQuery, overviewSince } from './statistics/overview.request';
export { AttentionResponse, OverviewResponse } from './statistics/overview.response';
export {
  DeferredLinkRequest,
  NewTrackerRequest,
  saidFields,
  TrackerChangesRequest,
  TrackerPlatforms,
  TrackersQuery,
} from './trackers/tracker.request';
export { TrackerResponse, TrackersResponse, TrackerStatsResponse, TrackerTotals } from './trackers/tracker.response';
export { StatsListQuery, StatsQuery, TrackerStatsQuery } from './statistics/stats.request';
export { EngagementTotals, RevenueTotal, StatsListResponse, StatsResponse } from './statistics/stats.response';
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
  type AskedAssignments,
  askedAssignments,
  PromoAssignmentsQuery,
  PromoFileRequest,
  PromoSetChangeRequest,
  PromoSetsQuery,
  PromoUploadPath,
  PromoUploadQuery,
} from './promo/promo.request';
export {
  AcceptedPromoUploadResponse,
  PromoAssignmentResponse,
  PromoAssignmentsResponse,
  PromoJobResponse,
  PromoSetResponse,
  PromoSetsResponse,
  PromoUploadResponse,
} from './promo/promo.response';
export { MESSAGE_DEVICE_SCHEMA, MESSAGE_DEVICES_SCHEMA, readMessageDevices } from './reading/message-devices';
export type { MessageDeviceResponse } from './reading/message-devices';
export { PRESENCE_SCHEMA } from './installations/presence.response';
export type { PresenceResponse } from './installations/presence.response';
export { OPTED_OUT_NUMBERS_SCHEMA, readListOptedOutNumbers } from './operations/opted-out-numbers.request';
export type { ListOptedOutNumbersRequest, OptedOutNumberResponse } from './operations/opted-out-numbers.request';
