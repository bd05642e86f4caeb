import type { MessageContent, MessageKind } from '@postrider/domain';

/** A message as the renderer needs it. */
export interface RenderableMessage {
  id: string;
  kind: MessageKind;
  content: MessageContent;
  /** `public/<name>` or `private/<name>`. */
  channel: string;
  /** Of a scheduled message the time at which it is sent. */
  acceptedAt: Date;
  expiresAt: Date;
}

/** The parts of an application that its messages show. */
export interface RenderableApplication {
  name: string;
  defaultAlertText: string;
}

/** The properties of a device that decide the shape of its payload. */
export interface RenderableDevice {
  /** As registered (`android`, `ios`, `web`, …), in upper or lower case. Null if it was not reported. */
  deviceType: string | null;
}

/** The kinds of device by which a payload can differ. */
export type Platform = 'android' | 'ios' | 'web';

const IOS = /^(ios|iphone|ipad|ipados|tvos|watchos|macos)/i;
const WEB = /^(web|chrome|firefox|safari|edge|opera)/i;

/** The platform of a device's payload, from its registered `deviceType`. Unknown ones are treated like Android. */
export function platformOf(deviceType: string | null): Platform {
  if (deviceType === null) return 'android';
  if (IOS.test(deviceType)) return 'ios';
  return WEB.test(deviceType) ? 'web' : 'android';
}
