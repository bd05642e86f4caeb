import type { DeviceId } from '@postrider/domain';

/** Names one message. */
export interface MessageKey {
  appId: string;
  messageId: string;
}

/** Names one page. */
export interface PageKey extends MessageKey {
  pageId: string;
}

/** A page as its owner holds it. */
export interface LeasedPage extends PageKey {
  /** From the claim. Writes count only while it is still the page's. */
  fence: number;
  /** Devices that keep the message for their own connection as well. Left out: none. */
  connectionDeviceIds?: readonly DeviceId[];
}
