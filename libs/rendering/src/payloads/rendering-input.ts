import type { Platform, RenderableApplication, RenderableMessage } from '../renderable';
import type { VisibleText } from '../envelope/visible-text';

/** What every payload builder reads. */
export interface RenderingInput {
  message: RenderableMessage;
  application: RenderableApplication;
  platform: Platform;
  /** What a person reads; meaningless when `silent`. */
  text: VisibleText;
  silent: boolean;
  /** True if FCM's flat keys stand beside the message; left out: if there is room. */
  hasFlatKeys?: boolean;
}
