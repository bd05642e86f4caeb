/** Deliveries of one message that wait for connections. The arrays have the same length. */
export interface WaitingMessage {
  appId: string;
  messageId: string;
  deviceIds: string[];
  /** How often each was published before on a connection that ended without an acknowledgement. */
  attempts: number[];
  /** Whether a vendor has each already. */
  keptOnes: boolean[];
}
