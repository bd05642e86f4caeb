export { type RecipientForms, readPreview, readSend, readSendElement, type SendReading } from './messages/read-send';
export {
  MessageChangesQuery,
  MessageChangesRequest,
  readChangedSend,
  type ScheduledMessage,
} from './messages/message-changes.request';
export type { SendRecipients, ValidatedSend } from './messages/send';
export { NotificationRequest } from './messages/notification.request';
export {
  DEFAULT_LANGUAGE,
  NotifiedUserPath,
  PreviewRequest,
  SendToGroupRequest,
  SendToUserRequest,
  SendToUsersRequest,
} from './messages/send.request';
export {
  SendLanguageResponse,
  SendResponse,
  SendSpanResponse,
  type TextWarningResponse,
} from './messages/send.response';
export { DevicePreviewResponse, PreviewResponse, UserPreviewResponse } from './messages/preview.response';
export {
  ListDeliveriesQuery,
  ListFallbacksQuery,
  ExportDeliveriesQuery,
  ListMessagesQuery,
  MessageDevicesQuery,
} from './messages/message-lists.request';
export { MessageContentResponse } from './messages/message-content.response';
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
export {
  CampaignEngagementResponse,
  CampaignSummaryResponse,
  CampaignsResponse,
  NewCampaignRequest,
  PlannedCampaignResponse,
} from './messages/campaigns';
export { InboxMessageResponse, InboxQuery, InboxResponse } from './messages/inbox';
export { noteProblems, problemsNotedOf, Problems } from './validation/problems';
export {
  MOST_TAGS,
  TagFileQuery,
  TagOfUserRequest,
  TagPath,
  TagsQuery,
  TagsRequest,
  ValueTagRequest,
} from './tags/tags.request';
export { bodyOf, problemsOf, readRequest, REQUEST_PACKAGES } from './validation/read-request';
export type { PanelSession } from './admin/panel-session';
export { ArchivedOrigin, ArchivedTemplateVersion } from './admin/archive.request';
export { ArchiveImportResponse, ArchiveProblemResponse } from './admin/archive.response';
export {
  ApplicationChangesQuery,
  ApplicationChangesRequest,
  knownSettingsOf,
  NewApplicationRequest,
  NewIdentityKeyRequest,
} from './admin/application.request';
export {
  ApplicationResponse,
  FirstTokensResponse,
  IdentityKeyResponse,
  NewApplicationResponse,
} from './admin/application.response';
export { NewTokenRequest, NewTokenResponse, TokenResponse } from './admin/access-tokens';
export { FrequencyCapRequest, FrequencyCapResponse } from './messages/frequency-caps';
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
export {
  CountGroupRequest,
  ExplainGroupRequest,
  GroupRequest,
  RulesRequest,
  SegmentChangesRequest,
  SegmentRequest,
  SegmentSizesQuery,
  SegmentsQuery,
} from './segments/segment.request';
export {
  ExplainedDeviceResponse,
  RuleEffectResponse,
  SegmentCountResponse,
  SegmentExplanationResponse,
  SegmentFieldResponse,
  SegmentFieldsResponse,
  SegmentFieldValueResponse,
  SegmentResponse,
  SegmentSizeResponse,
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
export { LocationRequest, registrationOf, RegistrationRequest } from './devices/registration.request';
export {
  attributeChangesOf,
  AttributeMetaRequest,
  UserInfoMetaRequest,
  UserInfoRequest,
} from './devices/user-info.request';
export type { AttributeChange } from './devices/user-info.request';
export {
  MOST_TRACKED,
  TrackPurchaseRequest,
  TrackRequest,
  TrackRevenueRequest,
  trackingOf,
} from './events/track.request';
export type { TrackingRequest } from './events/track.request';
export { TrackResponse, UninstallReportResponse, UninstallResponse } from './events/track.response';
export { UninstallReportPath, UninstallReportQuery } from './events/uninstall-report.request';
export { IMPORT_LISTS } from '@postrider/domain';
export { type ImportFileKind, recogniseValue, recordOf } from './imports/import-formats';
export { ImportQuery, ImportsQuery, VALIDATIONS_A_SECOND } from './imports/import.request';
export {
  AcceptedImportResponse,
  ImportErrorResponse,
  ImportResponse,
  ImportsResponse,
  ImportSummaryResponse,
  ImportValidationResponse,
} from './imports/import.response';
export { columnsAsSpelled } from './imports/column-names';
export { columnsOf, type ImportMapping } from './imports/import-mapping';
export type { SourceRecord } from './imports/import-draft';
export {
  hasMappedColumn,
  type ImportedDevice,
  type ImportOptions,
  type ImportReading,
  readImported,
} from './imports/read-imported';
export { DeviceTokenRequest, vendorTokenOf } from './devices/vendor-token.request';
export { LONGEST_HASH } from './validation/user-identity';
export { ListUserDeliveriesQuery, ListUsersQuery, UserPath } from './users/user.request';
export {
  ErasureResponse,
  ListedUserResponse,
  OpenedLinkResponse,
  UserDeliveryListResponse,
  UserDeliveryResponse,
  ReachableDeviceResponse,
  UserDeviceResponse,
  UserExportResponse,
  UserUninstallResponse,
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
export {
  DraftChangesRequest,
  DraftCopyRequest,
  DraftRemovalQuery,
  DraftRequest,
  DraftsQuery,
} from './drafts/draft.request';
export { DraftResponse, DraftsResponse, DraftSummaryResponse } from './drafts/draft.response';
export {
  readTemplateMessage,
  TEMPLATE_FIELDS,
  TemplateChangesRequest,
  TemplateQuery,
  TemplateRequest,
  TemplateRestoreRequest,
  TemplatesQuery,
  TemplateVersionsQuery,
  withTemplate,
} from './templates/template.request';
export {
  TemplateResponse,
  TemplatesResponse,
  TemplateSummaryResponse,
  TemplateVersionResponse,
  TemplateVersionsResponse,
} from './templates/template.response';
export { fillInVariables, TemplateVariable } from './templates/template-variables';
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
export {
  AttentionResponse,
  CampaignDayResponse,
  CampaignDaysResponse,
  OverviewResponse,
} from './statistics/overview.response';
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
export {
  AttemptPageJob,
  EditTagsJob,
  ImportDevicesJob,
  ImportPromoSetJob,
  ResolveMessageJob,
  SendFallbacksJob,
  SendWebhookEventsJob,
} from './jobs/job-payloads';
export { JobValidation, UnfitJob } from './jobs/job-validation.pipe';
export { cutList, makeCursor, makeTimedCursor, timedPlaceOf, placeOf } from './validation/paging';
export { type BodyRules, parseJsonBody } from './validation/parse-json-body';
export { LONGEST_LINK } from './validation/values';
export {
  CampaignTestResponse,
  ChosenWinnerRequest,
  HoldoutResponse,
  ShareResponse,
  TestFiguresResponse,
  VariantFiguresResponse,
  WinnerResponse,
} from './messages/campaign-test.response';
