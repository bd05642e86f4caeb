import type { JsonObject } from '../json';
import { type ClientMessage, messageOf } from '../messages/client-message';
import { proofOf } from '../registration/installation-state';
import type { Registrar } from '../registration/registrar';
import type { RestApi } from '../rest/rest-api';

/** A message that the service keeps for this device. */
export interface InboxMessage extends ClientMessage {
  isRead: boolean;
  readAt: Date | null;
}

/** A page of the inbox, newest first. */
export interface InboxPage {
  messages: InboxMessage[];
  /** Unread messages of the whole inbox, not of this page. */
  unread: number;
  /** The cursor of the next page; null: this is the last. */
  nextCursor: string | null;
}

interface InboxAnswer extends JsonObject {
  messages: JsonObject[];
  unread: number;
  nextCursor: string | null;
}

/** The messages that the service keeps for this device until they expire. Every method throws PostriderError. */
export class Inbox {
  constructor(
    private readonly api: RestApi,
    private readonly registrar: Registrar,
  ) {}

  /**
   * Reads a page of the inbox, newest message first.
   *
   * @param options `cursor`: `nextCursor` of the page before; left out: the first page. `limit`: messages per page
   */
  async read({ cursor, limit }: { cursor?: string | null; limit?: number } = {}): Promise<InboxPage> {
    // Not `URLSearchParams`: React Native has only a part of it.
    const query = [
      ...(cursor ? [`cursor=${encodeURIComponent(cursor)}`] : []),
      ...(limit === undefined ? [] : [`limit=${limit}`]),
    ].join('&');
    const { messages, unread, nextCursor } = await this.#call<InboxAnswer>('GET', `?${query}`);
    return { messages: messages.flatMap(inboxMessageOf), unread, nextCursor };
  }

  /** Marks a message as read; again does nothing. */
  async markRead(messageId: string): Promise<void> {
    await this.#call('POST', `/${encodeURIComponent(messageId)}/read`);
  }

  /** Marks every message of the inbox as read. */
  async markAllRead(): Promise<void> {
    await this.#call('POST', '/read');
  }

  /** Removes a message from the inbox of this device. */
  async remove(messageId: string): Promise<void> {
    await this.#call('DELETE', `/${encodeURIComponent(messageId)}`);
  }

  #call<T extends JsonObject>(method: string, path: string): Promise<T> {
    return this.registrar.with((state) =>
      this.api.call<T>(method, `installations/${state.installationId}/inbox${path}`, { headers: proofOf(state) }),
    );
  }
}

function inboxMessageOf(fields: JsonObject): InboxMessage[] {
  const message = messageOf(fields);
  if (message === null) return [];
  const { read, readAt } = fields;
  return [{ ...message, isRead: read === true, readAt: typeof readAt === 'string' ? new Date(readAt) : null }];
}
