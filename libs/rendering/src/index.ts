export { createRenderer, type Renderer } from './create-renderer';
export { type RenderableApplication, type RenderableMessage, platformOf } from './renderable';
export { messageOfEdition, PerEdition } from './per-edition';
export { VENDOR_LIMITS, measurePayload, checkPayloadSize } from './payloads/payload-size';
export { payloadExcesses, type PayloadExcess } from './limits/payload-excess';
export { isSilent, visibleText } from './envelope/visible-text';
export { createPersonalFallback, createPersonalMessage } from './personal/personal-message';
export type { PersonalFallback, PersonalMessage, PersonalNeeds, PersonalPreview } from './personal/personal-message';
export type { PersonFacts } from './templates/person-scope';
export { sendWarnings, templateProblems, templateWarnings } from './personal/template-problems';
export { TEMPLATE_SANDBOXES } from './sandbox/template-sandboxes';
export { isTemplate } from './templates/plain-template';
export { TemplateFailure } from './templates/template-failure';
export {
  LinkTracker,
  openTrackedLink,
  sealTrackedLink,
  trackedLinkKey,
  type TrackedLinkKey,
} from './links/tracked-link';
