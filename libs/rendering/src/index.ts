export { createRenderer } from './create-renderer';
export type { Renderer } from './create-renderer';
export type { Platform, RenderableApplication, RenderableDevice, RenderableMessage } from './renderable';
export { VENDOR_LIMITS } from './limits/vendor-limits';
export { measurePayload } from './limits/measure-payload';
