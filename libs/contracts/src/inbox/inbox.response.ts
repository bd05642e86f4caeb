import type { JsonObject } from '@postrider/domain';

/** A message in a device's inbox: what the device got, or gets, over its own connection, and whether it was read. */
export type InboxMessageResponse = JsonObject & { id: string; read: boolean; readAt: string | null; state: string };

/** The answer of `GET installations/:id/inbox`. */
export interface InboxResponse {
  messages: InboxMessageResponse[];
  /** Of the whole inbox, not of this page. */
  unread: number;
  nextCursor: string | null;
}
