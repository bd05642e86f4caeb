export { NO_DEVICE, type DeviceId } from './device-id';
export type { JsonObject, JsonValue } from './json';
export { canonicalJson, isJsonObject, parseJsonObject } from './json';
export { addDecimals } from './add-decimals';
export { changedIntegers } from './changed-integers';
export type { StoredRegistration, VendorToken } from './registration';
export { CREDENTIAL_VENDORS, DELIVERY_VENDORS, PUSH_VENDORS } from './vendor';
export type {
  CredentialVendor,
  DeliveryVendor,
  PushVendor,
  SendOutcome,
  SendOutcomeKind,
  ApnsPayload,
  FcmPayload,
  HmsPayload,
  VendorPayload,
  WebPushPayload,
} from './vendor';
export type {
  CampaignVariant,
  Fallback,
  Lane,
  LocalizedContent,
  MessageContent,
  MessageKind,
  MessageStatus,
  Notification,
  NotificationAction,
  WinnerMetric,
} from './message';
export { MESSAGE_KINDS, MESSAGE_STATUSES, lastCallAt, NOW_OR_NEVER_MS, waitingEndsAt, WINNER_METRICS } from './message';
export {
  contentOfEdition,
  DEFAULT_EDITION,
  EditionChoice,
  EditionChoices,
  editionKey,
  editionsOf,
  hasEditions,
  LOCALE_ATTRIBUTE,
} from './edition';
export type { Edition } from './edition';
export { isLanguageTag, sameTag } from './language-tag';
export { DELIVERY_STATES, deliveryStateRank, STATE_PROVED_BY, CHANGED_HANDS, REMOVED } from './delivery-state';
export type { DeliveryState, ReceiptKind, SkipReason } from './delivery-state';
export { capRoleOf, FREQUENCY_CAPPED, MAX_CAP_SECONDS, MAX_CAPPED_MESSAGES, MAX_FREQUENCY_CAPS } from './frequency-cap';
export type { FrequencyCap } from './frequency-cap';
export { gapMark, GapValue, TextWithGaps } from './text-with-gaps';
export type { Gap, PayloadFilling } from './text-with-gaps';
export { DEFAULT_COUNT_TOLERANCE, isAsExpected } from './expected-count';
export type { ExpectedCount } from './expected-count';
export { DomainError, ERROR_STATUS, InvalidRequest, MOST_DETAILS } from './domain-error';
export type { ErrorCode, ErrorDetail } from './domain-error';
export { CLIENT_TAGS, covers, SCOPES } from './scope';
export type { ClientTags, Scope } from './scope';
export { csvCells, type CsvSeparator, namedSeparator } from './csv-cells';
export {
  EXPO_TOKEN,
  hasTokenSecond,
  IMPORT_COLUMNS,
  IMPORT_FORMATS,
  IMPORT_LISTS,
  IMPORT_PREFIXES,
  type ImportFormat,
  importSeparatorOf,
  isExpoToken,
  LISTED_USERS,
  looksLikeToken,
  recogniseHeader,
  recogniseMembers,
  unreadColumns,
} from './import-columns';
export { DEFAULT_CHANNELS, MAX_CHANNEL_NAME_LENGTH, parseChannel, parseSubscription, USUAL_CHANNEL } from './channel';
export type { Channel } from './channel';
export { MAX_NAME_LENGTH, MAX_TTL_SECONDS, USUAL_MAX_PROMO_CODES, USUAL_MAX_USERS } from './limits';
export {
  systemClock,
  DAY_MS,
  DAY_SECONDS,
  HOUR_MS,
  MINUTE_MS,
  SECOND_MS,
  midnightOf,
  timestampOf,
  TREND_DAYS,
  trendBegin,
} from './time';
export type { Clock } from './time';
export { ISO_8601, isoMoment } from './iso-time';
export { normaliseName, normaliseText } from './normalise-text';
export { PHONE_REGIONS } from './phone-region';
export { isUnstorable, mayHoldUnstorable, storableText, UNSTORABLE } from './storable-text';
export { versionSortKey } from './version';
export { backoffMs, withJitter } from './backoff';
export type { RetryPolicy } from './retry-delay';
export { decideNextStep } from './decide-next-step';
export type { NextStep } from './decide-next-step';
export { reachOf, routeDevice } from './routing';
export type { Reach, RoutableDevice, Destination, UnroutableReason } from './routing';
export { FALLBACK_STATES, FALLBACK_STATES_BEFORE, CONFIRMING_STATES } from './fallback-state';
export type { FallbackState, SmsStatus } from './fallback-state';
export { WEBHOOK_EVENT_TYPES } from './webhook-event';
export type { WebhookEventType } from './webhook-event';
export { firstTimeZone, isTimeZone, momentOf, nextMomentOf } from './schedule/local-time';
export { fallbackDueAt } from './schedule/fallback-due';
export { keepsQuietHours, minuteOfDay, quietUntil, quietZonesAt } from './schedule/quiet-hours';
export type { QuietHours, QuietZone } from './schedule/quiet-hours';
export { pacedPageSize, admitPage, isOfLaterClock, takeAnotherTime } from './schedule/pace';
export type { AdmissionAnswer, PaceMark, PageToAdmit } from './schedule/pace';
export { SendSlots, type SendTime } from './schedule/send-slots';
export { bestVariant, estimateShare, isDifferent, type VariantCount } from './test-figures';
export {
  campaignGroupOf,
  campaignSalt,
  contentOfVariant,
  LEAST_VARIANTS,
  MAX_HOLDOUT_PERCENT,
  MAX_WEIGHT,
  MAX_WINNER_SECONDS,
  MIN_WINNER_SECONDS,
  MOST_VARIANTS,
  PLACES,
  placesOfShare,
  type UserPlaces,
  variantEnds,
  variantFor,
} from './campaign-test';
export { MAX_RATE, MAX_SCHEDULE_DAYS, SCHEDULE_SLACK_MS, UNSTEERED } from './schedule/steering';
export type { Steering } from './schedule/steering';
export { MAX_GROUP_DEPTH, MAX_RULE_VALUES, MAX_RULES, SEGMENT_OPERATORS } from './segment-language';
export type { SegmentOperator } from './segment-language';
export { dangerousScheme } from './dangerous-scheme';
export {
  isSilentToken,
  isSuspiciousDay,
  isSuspiciousJump,
  NEW_TOKEN_WATCH,
  normalDeadShare,
  roundedShare,
  watchTokens,
} from './token-guard';
export type { TokenAnswers, TokenWatch } from './token-guard';
export { tokenIdentity } from './token-identity';
export { isUuid, UUID } from './uuid';
export { groupBy, inParts } from './split-list';
export { withoutTrailing } from './without-trailing';
