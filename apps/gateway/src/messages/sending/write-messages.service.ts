import { Inject, Injectable } from '@nestjs/common';
import { type AcceptedMessage, isNamed, type NamedDraft, storeMessages } from '@postrider/audience';
import { type Database, DATABASE, type Executor, IdempotencyRepository } from '@postrider/persistence';
import { CONFIG, type Config } from '@postrider/platform';
import type { ValidatedSend } from '@postrider/contracts';
import type { JsonObject } from '@postrider/domain';
import { SavedDrafts } from '../../drafts/saved-drafts.service';
import { AcceptanceBatches } from './acceptance-batches.service';
import type { MessageDraft } from './draft-message';
import { findReplay, keptSince, type KeyedRequest, type OnceAnswer, runOnce, stillRunning } from './idempotency';
import { WriteFallbacks } from './write-fallbacks.service';

/** A message to more users than this is written by itself. */
const FEW_USERS = 20;
/** As many messages as one statement takes. Between two statements, other requests have their turn. */
const MESSAGES_AT_ONCE = 500;

/** Writes drafted messages to the ledger, with everything that belongs to them. */
@Injectable()
export class WriteMessages {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly fallbacks: WriteFallbacks,
    private readonly idempotency: IdempotencyRepository,
    @Inject(CONFIG) private readonly config: Config,
    private readonly batches: AcceptanceBatches,
    private readonly savedDrafts: SavedDrafts,
  ) {}

  /**
   * Carries out `work`; for a request with an idempotency key only once, and keeps its answer (`runOnce`).
   * @throws DomainError as `runOnce`
   */
  async once<Answer extends JsonObject>(
    executor: Executor,
    request: KeyedRequest | null,
    work: () => Promise<Answer>,
  ): Promise<OnceAnswer<Answer>> {
    if (!request) return { answer: await work(), isReplay: false };
    return runOnce({ executor, idempotency: this.idempotency }, request, work);
  }

  /** Returns the answer that this request got before, or null. @throws DomainError as `findReplay` */
  async findReplay<Answer extends JsonObject>(request: KeyedRequest): Promise<OnceAnswer<Answer> | null> {
    return findReplay({ executor: this.database, idempotency: this.idempotency }, request);
  }

  /** Removes the saved drafts that messages were made from. @throws DomainError as `SavedDrafts.clear` */
  clearDrafts(executor: Executor, appId: string, messages: readonly ValidatedSend[]): Promise<void> {
    return this.savedDrafts.clear(executor, appId, messages);
  }

  /** Writes one message without fallbacks: its acceptance is a single write and needs no transaction. */
  async writeOne(draft: MessageDraft): Promise<AcceptedMessage[]> {
    return isForFew(draft) ? [await this.batches.accept(draft)] : this.writeAll(this.database, [draft]);
  }

  /** True if a message with an idempotency key can be accepted by `writeOnce`. */
  canShare(draft: MessageDraft): draft is MessageDraft & NamedDraft {
    return isForFew(draft);
  }

  /**
   * Writes one message without fallbacks once under its key, in a common statement with others.
   * @param answer the answer that is kept under the key; the count of devices is added to it
   * @returns the accepted message, or the answer that the request got before
   * @throws DomainError as `runOnce`
   */
  async writeOnce<Answer extends JsonObject>(
    draft: MessageDraft & NamedDraft,
    request: KeyedRequest,
    answer: JsonObject,
  ): Promise<AcceptedMessage | OnceAnswer<Answer>> {
    const { key, requestHash, now } = request;
    const once = { key, requestHash, answer, keptSince: keptSince(now) };
    const outcome = await this.batches.acceptOnce({ ...draft, once });
    if (outcome.kind === 'accepted') return outcome.accepted;
    const replay = outcome.kind === 'kept' ? await this.findReplay<Answer>(request) : null;
    if (replay === null) throw stillRunning();
    return replay;
  }

  /** Writes the messages of one request in the transaction of `executor`. */
  async writeAll(executor: Executor, drafts: readonly MessageDraft[]): Promise<AcceptedMessage[]> {
    const accepted: AcceptedMessage[] = [];
    for (let from = 0; from < drafts.length; from += MESSAGES_AT_ONCE) {
      const batch = drafts.slice(from, from + MESSAGES_AT_ONCE);
      accepted.push(...(await storeMessages(executor, batch, { pageSize: this.config.pageSize })));
      await this.fallbacks.write(executor, batch);
    }
    return accepted;
  }
}

/** True if a message may share a statement with others: it goes to so few users that no other message waits for it. */
function isForFew(draft: MessageDraft): draft is MessageDraft & NamedDraft {
  const { who } = draft.selection;
  return isNamed(draft) && who.kind === 'users' && who.userIds.length <= FEW_USERS;
}
