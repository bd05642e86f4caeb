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

/** A message on its way to one device. */
export interface OutgoingDelivery {
  message: OutgoingMessage;
  payload: Buffer;
  /** Whether a vendor has it too. */
  isKept: boolean;
}
