/** Names one message. */
export interface MessageKey {
  appId: string;
  messageId: string;
}
