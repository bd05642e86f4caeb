import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { type MessageKey, MessagesRepository, OutageWarning } from '@postrider/persistence';
import { CLOCK, LOGGER, type Logger } from '@postrider/platform';

/** Pages of one message that end within this time cause only one look. */
const GATHER_MS = 25;
/** The same after a look at so many messages: a statement costs PostgreSQL as much as fifty of the messages in it. */
const BUSY = { messages: 5, gatherMs: 50 };

/**
 * Marks messages as done after the pages that ended them are committed. Recovery finds the messages that it misses (the
 * process dies, PostgreSQL is away). It is not a `Batcher`, because a message that is named many times while it waits
 * is looked at once. It does not look at a message while this worker has further pages of it: the message cannot be
 * done yet, and a campaign has thousands of pages.
 */
@Injectable()
export class MessageDoneMarker implements BeforeApplicationShutdown {
  readonly #gathered = new Map<string, MessageKey>();
  /** The number of pages of each message that this worker processes. */
  readonly #inHand = new Map<string, number>();
  readonly #delayed: OutageWarning;
  #timer: NodeJS.Timeout | undefined;
  /** How many messages the last look was at. */
  #lastLook = 0;
  #running: Promise<void> = Promise.resolve();

  constructor(
    @Inject(MessagesRepository) private readonly messages: Pick<MessagesRepository, 'complete'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.#delayed = new OutageWarning(logger, 'messages.completion-delayed');
  }

  /** Call it when work on a page of a message begins; `pageEnded` must follow, however the page ends. */
  pageBegun(message: MessageKey): void {
    const name = nameOf(message);
    this.#inHand.set(name, (this.#inHand.get(name) ?? 0) + 1);
  }

  /** Looks at the message soon, unless this worker has another of its pages. */
  pageEnded(message: MessageKey): void {
    const name = nameOf(message);
    const others = (this.#inHand.get(name) ?? 1) - 1;
    if (others > 0) {
      this.#inHand.set(name, others);
      return;
    }
    this.#inHand.delete(name);
    this.#gathered.set(name, message);
    const gatherMs = this.#lastLook >= BUSY.messages ? BUSY.gatherMs : GATHER_MS;
    this.#timer ??= setTimeout(() => void this.flush(), gatherMs);
  }

  /** Looks at once, and waits for the result. Never rejects. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const messages = [...this.#gathered.values()];
    this.#gathered.clear();
    this.#lastLook = messages.length;
    if (messages.length > 0)
      this.#running = Promise.all([this.#running, this.#complete(messages)]).then(() => undefined);
    return this.#running;
  }

  /** Runs before the module is destroyed, because the database is closed then. */
  beforeApplicationShutdown(): Promise<void> {
    return this.flush();
  }

  async #complete(messages: MessageKey[]): Promise<void> {
    try {
      await this.messages.complete(messages, this.clock.now());
    } catch (error) {
      this.#delayed.log(error, { messages: messages.length });
    }
  }
}

function nameOf({ appId, messageId }: MessageKey): string {
  return `${appId} ${messageId}`;
}
