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
export { bodyOf, problemsOf, readRequest, TRANSFORMATION, VALIDATION } from './validation/read-request';
export { ApplicationChangesRequest, NewApplicationRequest } from './admin/application.request';
export { ApplicationResponse, FirstTokensResponse, NewApplicationResponse } from './admin/application.response';
export { NewTokenRequest, NewTokenResponse, TokenResponse } from './admin/access-tokens';
export { QuietHoursRequest, QuietHoursResponse } from './admin/quiet-hours';
export { VendorCheckResponse, VendorResponse } from './admin/vendor.response';
export {
  AppliedQuarantineResponse,
  DeadTokensResponse,
  QuarantineResponse,
  ReleasedQuarantineResponse,
  RouteRetryResponse,
  VendorErrorResponse,
  VendorHealthResponse,
  VendorsHealthResponse,
  VendorTroubleResponse,
  WorkerRouteResponse,
} from './admin/vendor-health.response';
export { OptedOutNumberResponse, OptedOutNumbersQuery, OptedOutNumbersResponse } from './admin/opted-out-numbers';
export {
  ApnsCredentialsRequest,
  FcmCredentialsRequest,
  HmsCredentialsRequest,
  readVendorCredentials,
  ServiceAccountRequest,
  WebPushCredentialsRequest,
} from './admin/vendor-credentials.request';
export type { CredentialsReading, VendorCredentialsRequest } from './admin/vendor-credentials.request';
export {
  HttpSmsCredentialsRequest,
  KavenegarCredentialsRequest,
  TwilioCredentialsRequest,
} from './admin/sms-credentials.request';
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
export {
  NewSecretRequest,
  NewWebhookRequest,
  WebhookChangeRequest,
  WebhookDeliveriesQuery,
} from './webhooks/webhooks.request';
export {
  WebhookAttemptResponse,
  WebhookDeliveriesResponse,
  WebhookDeliveryResponse,
  WebhookResponse,
  WebhookSecretResponse,
  WebhooksResponse,
  WebhookTestResponse,
} from './webhooks/webhooks.response';
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
export {
  AttemptPageJob,
  EditTagsJob,
  ImportPromoSetJob,
  ResolveMessageJob,
  SendFallbacksJob,
  SendWebhookEventsJob,
} from './jobs/job-payloads';
export { JobValidation, UnfitJob } from './jobs/job-validation.pipe';
