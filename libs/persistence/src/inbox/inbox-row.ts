/** Deliveries of one message that wait for connections. */
export interface WaitingMessage {
  appId: string;
  messageId: string;
  /** The page that an edge holds them on; null: each has a row of its own. */
  pageId: string | null;
  /** Null: of a page that the caller knows. */
  deviceIds: string[] | null;
  /** Whether a vendor has each already, in the order of `deviceIds`; null: none has. */
  keptOnes: boolean[] | null;
}
