import type { Platform, RenderableApplication, RenderableMessage } from '../renderable';
import type { VisibleText } from '../envelope/visible-text';

/** What every payload builder reads. */
export interface RenderingInput {
  message: RenderableMessage;
  application: RenderableApplication;
  platform: Platform;
  /** The visible text. Ignored if `silent`. */
  text: VisibleText;
  silent: boolean;
  /** True if FCM's flat keys are sent beside the message. Left out: if there is room. */
  hasFlatKeys?: boolean;
}
