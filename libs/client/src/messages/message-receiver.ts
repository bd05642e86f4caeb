import type { ClientMessage } from './client-message';
import type { SeenMessages } from './seen-messages';

/** How a message came: over the own connection, or by vendor push to the service worker. */
export type MessageWay = 'connection' | 'push';

/**
 * Hands each message to the application once, whichever way it comes and however often. It is remembered after it was handed
 * over and before it is acknowledged: a process that dies in between gets it again.
 */
export class MessageReceiver {
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly seen: SeenMessages,
    private readonly handOver: (message: ClientMessage, via: MessageWay) => void,
  ) {}

  /** @returns whether the message was new; when this is fulfilled it may be acknowledged */
  receive(message: ClientMessage, via: MessageWay): Promise<boolean> {
    const mine = this.#last.then(() => this.#receive(message, via));
    this.#last = mine.catch(() => undefined);
    return mine;
  }

  async #receive(message: ClientMessage, via: MessageWay): Promise<boolean> {
    if (await this.seen.has(message.id)) return false;
    this.handOver(message, via);
    await this.seen.add(message.id);
    return true;
  }
}
