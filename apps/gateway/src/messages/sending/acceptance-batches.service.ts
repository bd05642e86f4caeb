import { Inject, Injectable } from '@nestjs/common';
import {
  type AcceptedMessage,
  type KeyedAcceptance,
  type KeyedDraft,
  kindOfDraft,
  type NamedDraft,
  storeMessages,
  storeMessagesOnce,
} from '@postrider/audience';
import { type Database, DATABASE, type Executor, isDatabaseUnavailable } from '@postrider/persistence';
import { Batcher, type BatcherOptions, CONFIG, type Config } from '@postrider/platform';
import type { MessageDraft } from './draft-message';

/**
 * The most statements at once for one kind of message. Messages that come meanwhile wait, and go together in the next
 * one.
 */
const STATEMENTS_AT_ONCE = 1;
/** The most messages in one statement: it still answers within milliseconds. */
const MAX_MESSAGES = 100;

/**
 * Accepts messages of different requests in common statements, so that a busy gateway commits once for many messages,
 * and an idle gateway commits at once. Each message is accepted when its promise resolves. If the ledger refuses a
 * message, only this one fails.
 */
@Injectable()
export class AcceptanceBatches {
  readonly #unkeyed: BatchesByKind<NamedDraft, AcceptedMessage>;
  readonly #keyed: BatchesByKind<KeyedDraft, KeyedAcceptance>;

  constructor(
    @Inject(DATABASE) database: Database,
    @Inject(CONFIG) private readonly config: Pick<Config, 'pageSize'>,
  ) {
    const { pageSize } = config;
    this.#unkeyed = new BatchesByKind((drafts) => storeMessages(database, drafts, { pageSize }));
    this.#keyed = new BatchesByKind((drafts) => storeMessagesOnce(database, drafts, { pageSize }));
  }

  /** Accepts a message. Rejects with the error of the database if it was not accepted, or if nobody can know. */
  accept(draft: NamedDraft): Promise<AcceptedMessage> {
    return this.#unkeyed.add(draft);
  }

  /** Accepts messages of one request, without those of other requests. */
  acceptAll(executor: Executor, drafts: readonly MessageDraft[]): Promise<AcceptedMessage[]> {
    return storeMessages(executor, drafts, { pageSize: this.config.pageSize });
  }

  /** Like `accept`, for a message that is accepted once under its key. */
  acceptOnce(draft: KeyedDraft): Promise<KeyedAcceptance> {
    return this.#keyed.add(draft);
  }
}

/** Batches of messages of one kind each (`kindOfDraft`). */
class BatchesByKind<Draft extends NamedDraft, Answer> {
  readonly #batchers = new Map<string, Batcher<Draft, Answer>>();

  constructor(private readonly store: (drafts: Draft[]) => Promise<Answer[]>) {}

  async add(draft: Draft): Promise<Answer> {
    const kind = kindOfDraft(draft);
    const batcher = this.#batchers.get(kind) ?? this.#createBatcher();
    this.#batchers.set(kind, batcher);
    try {
      return await batcher.add(draft);
    } finally {
      if (batcher.size === 0) this.#batchers.delete(kind);
    }
  }

  #createBatcher(): Batcher<Draft, Answer> {
    const options: BatcherOptions<Draft, Answer> = {
      work: this.store,
      maxItems: MAX_MESSAGES,
      concurrency: STATEMENTS_AT_ONCE,
      // After a lost connection nobody knows whether the messages were accepted.
      splitsOn: (error) => !isDatabaseUnavailable(error),
    };
    return new Batcher(options);
  }
}
