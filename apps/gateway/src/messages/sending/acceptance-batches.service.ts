import { Inject, Injectable } from '@nestjs/common';
import { type AcceptedMessage, acceptMessages, kindOfDraft, type NamedDraft } from '@postrider/audience';
import { type Database, DATABASE, isDatabaseUnavailable } from '@postrider/persistence';
import { Batcher, CONFIG, type Config } from '@postrider/platform';

/** Statements under way at once for one kind of message. While they run, what comes waits and goes together in the next. */
const STATEMENTS_AT_ONCE = 2;
/** A statement of so many answers within milliseconds still. */
const MAX_MESSAGES = 100;

/**
 * Accepts messages of different requests in common statements, so that a busy gateway commits once for many messages and an
 * idle one at once. Each message is accepted when its promise resolves; one that the ledger refuses fails alone.
 */
@Injectable()
export class AcceptanceBatches {
  /** By the kind of their messages. */
  readonly #batchers = new Map<string, Batcher<NamedDraft, AcceptedMessage>>();

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Rejects with the database's error when the message was not accepted, or when nobody can know. */
  async accept(draft: NamedDraft): Promise<AcceptedMessage> {
    const kind = kindOfDraft(draft);
    const batcher = this.#batchers.get(kind) ?? this.#createBatcher();
    this.#batchers.set(kind, batcher);
    try {
      return await batcher.add(draft);
    } finally {
      if (batcher.size === 0) this.#batchers.delete(kind);
    }
  }

  #createBatcher(): Batcher<NamedDraft, AcceptedMessage> {
    return new Batcher({
      work: (drafts) => acceptMessages(this.database, drafts, { pageSize: this.config.pageSize }),
      maxItems: MAX_MESSAGES,
      concurrency: STATEMENTS_AT_ONCE,
      // Of a lost connection nobody knows whether the messages were accepted.
      splitsOn: (error) => !isDatabaseUnavailable(error),
    });
  }
}
