import type { BeforeApplicationShutdown } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import type { MessageKey, MessagesRepository } from '@postrider/persistence';
import type { Logger } from '@postrider/platform';

/** Pages of one message that end within this time ask only once. */
const GATHER_MS = 25;

/**
 * Marks messages as done after the pages that ended them are committed. What it misses (the process dies, PostgreSQL is
 * away) is found by recovery. No `Batcher`: a message that is told of many times while it waits is looked at once.
 */
export class MessageDoneMarker implements BeforeApplicationShutdown {
  readonly #gathered = new Map<string, MessageKey>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(
    private readonly messages: MessagesRepository,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Has a look at a message soon. */
  pageEnded(message: MessageKey): void {
    this.#gathered.set(`${message.appId} ${message.messageId}`, message);
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
