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

/** A page as its owner has it. */
export interface LeasedPage extends PageKey {
  /** The fence of the claim. Writes count only while the page still has it. */
  fence: number;
  /** Devices that keep the message for their own connection as well. Left out: none. */
  connectionDeviceIds?: readonly DeviceId[];
}
