/** A message as an edge publishes it: one object for all devices that get it. */
export interface OutgoingMessage {
  appId: string;
  id: string;
  channel: string;
  isToNamedUsers: boolean;
  /** For connected devices only: QoS 0, and nothing is stored. */
  isLive: boolean;
  /** When it was accepted; for a scheduled message, when it was to be sent. */
  startsAtMs: number;
  expiresAtMs: number;
  /** From this time on it is no longer published. */
  lastCallMs: number;
}

/** A page of deliveries that have no outcome yet: one object for all deliveries on it. */
export interface EdgePage {
  appId: string;
  messageId: string;
  pageId: string;
  /** Devices without an outcome. Null: not known yet. */
  left: Set<string> | null;
  /** When the statement that read `left` began, on the monotonic clock. `left` does not hold for later connections. */
  leftAtMs: number;
  /** Devices whose outcome was recorded while `left` was not known. */
  ended: Set<string>;
}

/** A message on its way to one device. */
export interface OutgoingDelivery {
  message: OutgoingMessage;
  payload: Buffer;
  /** Null: the delivery has a row of its own already. */
  page: EdgePage | null;
  /** True if a vendor has it too. */
  isKept: boolean;
  /** The language of the payload. Null: the default, or the message has no languages. */
  language: string | null;
}

/** True if a message may still be published. */
export function isStillWanted(message: OutgoingMessage, nowMs: number): boolean {
  return nowMs < message.lastCallMs;
}

/**
 * True if a message is meant for the user who is connected now. A message to named users is checked by name elsewhere.
 * Any other message must have been accepted after the present owner got the device from another one. A message with
 * `ttl` 0 is only for devices that were connected when it was accepted.
 *
 * @param openedAtMs when the CONNECT was admitted, on the wall clock
 */
export function isMeantFor(
  { message }: OutgoingDelivery,
  { userSinceMs, hasChangedHands }: { userSinceMs: number; hasChangedHands: boolean },
  openedAtMs: number,
): boolean {
  const { startsAtMs, expiresAtMs, isToNamedUsers } = message;
  const isForOwner = isToNamedUsers || !hasChangedHands || startsAtMs >= userSinceMs;
  return isForOwner && (expiresAtMs > startsAtMs || openedAtMs <= startsAtMs);
}
