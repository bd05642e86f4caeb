import { Inject, Injectable } from '@nestjs/common';
import { type AcceptedMessage, acceptMessages, isNamed, type NamedDraft } from '@postrider/audience';
import { type Database, DATABASE, type Executor, IdempotencyRepository } from '@postrider/persistence';
import type { JsonObject } from '@postrider/domain';
import { CONFIG, type Config } from '@postrider/platform';
import { AcceptanceBatches } from './acceptance-batches.service';
import type { MessageDraft } from './draft-message';
import type { IdempotencyKey } from './idempotency-key';
import { findReplay, type OnceAnswer, runOnce } from './run-once';
import { WriteFallbacks } from './write-fallbacks.service';

/** A request with an idempotency key. */
type KeyedRequest = IdempotencyKey & { appId: string; now: Date };

const FEW_USERS = 20;
/** As many as one statement takes. Between two, other requests have their turn. */
const MESSAGES_AT_ONCE = 500;

/** Writes drafted messages to the ledger, with all that goes with them. */
@Injectable()
export class WriteMessages {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly fallbacks: WriteFallbacks,
    private readonly idempotency: IdempotencyRepository,
    @Inject(CONFIG) private readonly config: Config,
    private readonly batches: AcceptanceBatches,
  ) {}

  /**
   * Carries `work` out; for a request with an idempotency key once, and keeps its answer, as `runOnce` says.
   *
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

  /** The answer that this request got before, or null. @throws DomainError as `findReplay` */
  async findReplay<Answer extends JsonObject>(request: KeyedRequest): Promise<OnceAnswer<Answer> | null> {
    return findReplay({ executor: this.database, idempotency: this.idempotency }, request);
  }

  /** One message that has no fallbacks: its acceptance is a single write and needs no transaction. */
  async writeOne(draft: MessageDraft): Promise<AcceptedMessage[]> {
    return isForFew(draft) ? [await this.batches.accept(draft)] : this.writeAll(this.database, [draft]);
  }

  /** Messages of one request, in the transaction of `executor`. */
  async writeAll(executor: Executor, drafts: readonly MessageDraft[]): Promise<AcceptedMessage[]> {
    const accepted: AcceptedMessage[] = [];
    for (let from = 0; from < drafts.length; from += MESSAGES_AT_ONCE) {
      const batch = drafts.slice(from, from + MESSAGES_AT_ONCE);
      accepted.push(...(await acceptMessages(executor, batch, { pageSize: this.config.pageSize })));
      await this.fallbacks.write(executor, batch);
    }
    return accepted;
  }
}

/** Whether a message may share a statement with others: it keeps nobody waiting. */
function isForFew(draft: MessageDraft): draft is MessageDraft & NamedDraft {
  const { who } = draft.selection;
  return isNamed(draft) && who.kind === 'users' && who.userIds.length <= FEW_USERS;
}
