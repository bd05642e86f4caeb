import type { Channel, JsonObject, MessageContent, Steering } from '@postrider/domain';

/** Whom a send names: users, everybody on the channel, or a group by rules that are yet to be parsed. */
export type SendRecipients =
  | { kind: 'users'; userIds: string[] }
  | { kind: 'everyone' }
  | { kind: 'rules'; target?: JsonObject; segment?: JsonObject };

/** One message of a request, validated. */
export interface SendRequest {
  /** Where it stands in the request: `` or `[3]`. */
  path: string;
  recipients: SendRecipients;
  channel: Channel;
  content: MessageContent;
  ttlSeconds: number;
  /** When and how fast it is sent. */
  steering: Steering;
}
