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
