export type {
  AcceptedMessage,
  AudienceSelection,
  DevicesByVendor,
  RulesSelection,
} from './selection/audience-selection';
export { audienceMembersOf } from './selection/audience-selection';
export type { NewMessage, MessageSchedule } from './selection/message-row';
export { storeMessage, storeMessages, isNamed } from './selection/store-messages';
export type { KeyedAcceptance, KeyedDraft, NamedDraft } from './selection/named-acceptance';
export { kindOfDraft, storeMessagesOnce } from './selection/named-acceptance';
export { type AudienceGroup, groupAudiences } from './selection/group-audiences';
export {
  countAudience,
  measureAudience,
  sampleAudience,
  countByTimeZone,
  countMatches,
  countUsers,
  listTimeZones,
} from './selection/read-audiences';
export type { AudienceCount, AudienceMeasure, SampledDevice } from './selection/read-audiences';
export { countByLocale } from './selection/count-by-locale';
export { splitOf } from './selection/campaign-split';
export { changeMessage } from './selection/change-message';
export { resolveSlice } from './selection/resolve-slice';
export { resolveDue } from './selection/resolve-due';
export type { DueOutcome } from './selection/resolve-due';
export { nextWindow } from './selection/next-window';
export type { SliceOutcome } from './selection/read-resolution';
export { parseRules } from './segments/parse-rules';
export { explainRules } from './explain/explain-rules';
export { routeDevices } from './selection/route-devices';
export { explainDevices } from './explain/explain-devices';
export type { AskedDevices } from './explain/explain-devices';
export { exportSlice } from './explain/export-slice';
export type { ExportedDevice } from './explain/export-slice';
export { localSpan, planZones } from './selection/plan-zones';
export type { ZonePlan } from './selection/plan-zones';
