import type { BeforeApplicationShutdown } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import type { MessageKey, MessagesRepository } from '@postrider/persistence';
import type { Logger } from '@postrider/platform';

/** Pages of one message that end within this time ask only once. */
const GATHER_MS = 25;

/**
 * Marks messages as done after the pages that ended them are committed. What it misses (the process dies, PostgreSQL is
 * away) is found by recovery. No `Batcher`: a message that is told of many times while it waits is looked at once. One of which
 * this worker has further pages in hand is not looked at: it cannot be done, and a campaign would be looked at for each page.
 */
export class MessageDoneMarker implements BeforeApplicationShutdown {
  readonly #gathered = new Map<string, MessageKey>();
  /** How many pages of a message this worker has in hand. */
  readonly #inHand = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(
    private readonly messages: Pick<MessagesRepository, 'complete'>,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** A page of a message is worked from now on; `pageEnded` has to follow, whatever becomes of it. */
  pageBegun(message: MessageKey): void {
    const name = nameOf(message);
    this.#inHand.set(name, (this.#inHand.get(name) ?? 0) + 1);
  }

  /** Has a look at the message soon, unless another of its pages is worked here. */
  pageEnded(message: MessageKey): void {
    const name = nameOf(message);
    const others = (this.#inHand.get(name) ?? 1) - 1;
    if (others > 0) {
      this.#inHand.set(name, others);
      return;
    }
    this.#inHand.delete(name);
    this.#gathered.set(name, message);
    this.#timer ??= setTimeout(() => void this.flush(), GATHER_MS);
  }

  /** Looks at once, and waits for it. Never rejects. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const messages = [...this.#gathered.values()];
    this.#gathered.clear();
    if (messages.length > 0)
      this.#running = Promise.all([this.#running, this.#complete(messages)]).then(() => undefined);
    return this.#running;
  }

  /** While there is still a database. */
  beforeApplicationShutdown(): Promise<void> {
    return this.flush();
  }

  async #complete(messages: MessageKey[]): Promise<void> {
    try {
      await this.messages.complete(messages, this.clock.now());
    } catch (error) {
      this.logger.warn({ messages: messages.length, err: error }, 'messages.completion-delayed');
    }
  }
}

function nameOf({ appId, messageId }: MessageKey): string {
  return `${appId} ${messageId}`;
}
