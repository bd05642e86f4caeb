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

/**
 * Puts keys into the order in which statements that wait for several rows lock messages, and pages: in SQL `ORDER BY
 * message_id, id`. Two that locked the same rows in different orders would wait for each other, until PostgreSQL ends
 * one of them. Where no such order is possible, the transaction begins again (`inRetriedTransaction`).
 */
export function inLockOrder<Key extends MessageKey & Partial<PageKey>>(keys: readonly Key[]): Key[] {
  const placeOf = ({ messageId, pageId = '' }: Key): string => messageId + pageId;
  return [...keys].sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
}

/** A page as its owner has it. */
export interface LeasedPage extends PageKey {
  /** The fence of the claim. Writes count only while the page still has it. */
  fence: number;
  /** Devices that keep the message for their own connection as well. Left out: none. */
  connectionDeviceIds?: readonly DeviceId[];
}
