/** A message as an edge publishes it, the same object for all devices that get it. */
export interface OutgoingMessage {
  appId: string;
  id: string;
  channel: string;
  isToNamedUsers: boolean;
  /** For this moment alone: QoS 0, and nothing is kept. */
  isLive: boolean;
  /** When it was accepted; of a scheduled message, when it was to be sent. */
  startsAtMs: number;
  expiresAtMs: number;
  /** From here on it is not published any more. */
  lastCallMs: number;
}

/** Where the ledger holds deliveries of a message until they have an outcome, the same object for all of them. */
export interface HeldPage {
  appId: string;
  messageId: string;
  pageId: string;
  /** Devices without an outcome; null: it is not known yet which those are. */
  left: Set<string> | null;
  /** When the statement began that gave `left`, by the clock that only grows: what later connections had is not in it. */
  leftAtMs: number;
  /** Devices whose outcome was recorded while `left` was not known. */
  ended: Set<string>;
}

/** A message on its way to one device. */
export interface OutgoingDelivery {
  message: OutgoingMessage;
  payload: Buffer;
  /** Null: the delivery has a row of its own already. */
  page: HeldPage | null;
  /** Whether a vendor has it too. */
  isKept: boolean;
}
