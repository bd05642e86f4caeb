export { createRenderer, type Renderer } from './create-renderer';
export {
  type Platform,
  type RenderableApplication,
  type RenderableDevice,
  type RenderableMessage,
  platformOf,
} from './renderable';
export { messageOfEdition, PerEdition } from './per-edition';
export { VENDOR_LIMITS, measurePayload, checkPayloadSize } from './payloads/payload-size';
export { payloadExcesses, type PayloadExcess } from './limits/payload-excess';
export { isSilent, visibleText } from './envelope/visible-text';
export { createPersonalFallback, createPersonalMessage } from './personal/personal-message';
export type { PersonalFallback, PersonalMessage, PersonalNeeds, PersonalPreview } from './personal/personal-message';
export type { DeviceFacts, PersonFacts } from './templates/person-scope';
export { sendWarnings, templateProblems, templateWarnings } from './personal/template-problems';
export { TEMPLATE_SANDBOXES } from './sandbox/template-sandboxes';
export { isTemplate } from './templates/plain-template';
export { TemplateFailure } from './templates/template-failure';
export type { TemplateFailureCode } from './templates/template-failure';
export {
  LinkTracker,
  type LinkTrackingSettings,
  type TrackedContent,
  openTrackedLink,
  sealTrackedLink,
  trackedLinkKey,
  type LinkTracking,
  type TrackedLink,
  type TrackedLinkKey,
} from './links/tracked-link';
