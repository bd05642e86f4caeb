import type { ClientMessage } from './client-message';
import type { ClientStorage } from '../storage/client-storage';
import { StoredList } from '../storage/stored-list';
import { Turns } from '../storage/turns';

/** The way of a message: over the own connection, or by vendor push to the service worker. */
export type MessageWay = 'connection' | 'push';

/**
 * Hands each message to the application once, whichever way it comes and however often. The message is remembered after
 * it was handed over and before it is acknowledged: a process that dies in between gets it again.
 */
export class MessageReceiver {
  readonly #turns = new Turns();

  constructor(
    private readonly seen: SeenMessages,
    private readonly emit: (message: ClientMessage, via: MessageWay) => void,
  ) {}

  /** @returns true if the message was new; when this is fulfilled it may be acknowledged */
  receive(message: ClientMessage, via: MessageWay): Promise<boolean> {
    return this.#turns.run(() => this.#receive(message, via));
  }

  async #receive(message: ClientMessage, via: MessageWay): Promise<boolean> {
    if (await this.seen.has(message.id)) return false;
    this.emit(message, via);
    await this.seen.add(message.id);
    return true;
  }
}

/** The number of ids that are remembered: more than ever wait for a device at a time. */
const MOST = 1_000;

/** Remembers, beyond a restart, which messages were handled, so that each is handled once, whichever way it came. */
export class SeenMessages {
  readonly #ids: StoredList<string>;

  /** @param purpose the action that is done once: `received` or `shown` */
  constructor(storage: ClientStorage, appId: string, purpose: 'received' | 'shown') {
    this.#ids = new StoredList(storage, `postrider:${appId}:${purpose}`, MOST);
  }

  /** True if the id is remembered. */
  async has(id: string): Promise<boolean> {
    return (await this.#ids.read()).includes(id);
  }

  /** Remembers an id. @returns true, to the first caller only, if the id was new */
  async add(id: string): Promise<boolean> {
    let isNew = true;
    await this.#ids.update((ids) => {
      isNew = !ids.includes(id);
      return isNew ? [...ids, id] : ids;
    });
    return isNew;
  }
}

/** The number of handed-over messages that a page remembers. */
const MOST_HANDED_OVER = 1_000;

/**
 * Which messages this page was handed: two pages may get the same message at the same moment. The oldest are forgotten.
 */
export class EmittedMessages {
  readonly #ids = new Set<string>();

  /** Remembers a message. @returns true if it is new to this page */
  add(id: string): boolean {
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    const [oldest] = this.#ids;
    if (this.#ids.size > MOST_HANDED_OVER && oldest !== undefined) this.#ids.delete(oldest);
    return true;
  }
}
