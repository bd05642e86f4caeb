import type { MessageContent, MessageKind } from '@postrider/domain';

/** A message as the renderer needs it. */
export interface RenderableMessage {
  id: string;
  kind: MessageKind;
  content: MessageContent;
  /** `public/<name>` or `private/<name>`. */
  channel: string;
  acceptedAt: Date;
  expiresAt: Date;
}

/** What of an application shows in its messages. */
export interface RenderableApplication {
  name: string;
  defaultAlertText: string;
}

/** What of a device decides the shape of its payload. */
export interface RenderableDevice {
  /** As registered (`android`, `ios`, `web`, …), in any case; null when it did not say. */
  deviceType: string | null;
}

/** The kinds of device a payload can differ by. */
export type Platform = 'android' | 'ios' | 'web';

const IOS = /^(ios|iphone|ipad|ipados|tvos|watchos|macos)/i;
const WEB = /^(web|chrome|firefox|safari|edge|opera)/i;

/** The platform whose payload a device gets, from the `deviceType` it registered with. Unknown ones are like Android. */
export function platformOf(deviceType: string | null): Platform {
  if (deviceType === null) return 'android';
  if (IOS.test(deviceType)) return 'ios';
  return WEB.test(deviceType) ? 'web' : 'android';
}
