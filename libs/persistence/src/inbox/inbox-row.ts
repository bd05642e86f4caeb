/** Deliveries of one message that wait for connections. The arrays have the same length. */
export interface WaitingMessage {
  appId: string;
  messageId: string;
  deviceIds: string[];
  /** Whether a vendor has each already. */
  keptOnes: boolean[];
}
