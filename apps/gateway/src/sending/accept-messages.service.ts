import { Inject, Injectable } from '@nestjs/common';
import { acceptMessage, type AcceptedMessage } from '@postrider/audience';
import type { Clock, MessageKind } from '@postrider/domain';
import { type Database, DATABASE, type Executor, inTransaction } from '@postrider/persistence';
import { CLOCK, CONFIG, type Config, LOGGER, type Logger, newId } from '@postrider/platform';
import { draftMessage, type MessageDraft } from './draft-message';
import { fillInSegment } from './fill-in-segment';
import type { IdempotencyKey } from './idempotency-key';
import { PayloadLimits } from './payload-limits.service';
import { type OnceAnswer, runOnce } from './run-once';
import type { ReceivedSend } from './send-body.pipe';
import { WakeWorkers } from './wake-workers.service';

/** How many message ids an answer names (decisions, Answers). */
const NAMED_IDS = 20;

/** What a caller hears about an accepted send. */
export type AcceptedSend = {
  /** Devices that the messages are sent to. */
  count: number;
  messageIds: string[];
  batchId?: string;
};

/** Who sends, and through which endpoint. */
export interface SendOrigin {
  appId: string;
  kind: MessageKind;
  idempotencyKey?: IdempotencyKey;
}

/**
 * Accepts the messages of one request: all of them or none, in one transaction. Once this returns they stand in the ledger
 * and are sent whatever happens to Redis or to this process.
 */
@Injectable()
export class AcceptMessages {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
    private readonly payloadLimits: PayloadLimits,
    private readonly workers: WakeWorkers,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * @throws InvalidRequest when a payload is too big for a vendor that a recipient uses, or a saved segment is unknown;
   *   DomainError CONFLICT or IDEMPOTENCY_KEY_REUSED (see `runOnce`)
   */
  async accept({ messages, isBatch }: ReceivedSend, origin: SendOrigin): Promise<OnceAnswer<AcceptedSend>> {
    const { appId, kind, idempotencyKey } = origin;
    const acceptedAt = this.clock.now();
    const batchId = isBatch ? newId(acceptedAt) : undefined;
    const drafts = messages.map((message) => draftMessage(message, { appId, kind, acceptedAt, batchId }));
    const accepted: AcceptedMessage[] = [];
    const result = await this.#onExecutor(drafts, idempotencyKey, async (executor) => {
      const work = async (): Promise<AcceptedSend> => {
        for (const draft of drafts) accepted.push(await this.#acceptOne(executor, draft));
        return answerOf(drafts, accepted, batchId);
      };
      if (!idempotencyKey) return { answer: await work(), isReplay: false };
      return runOnce(executor, { ...idempotencyKey, appId, now: acceptedAt }, work);
    });
    if (!result.isReplay) {
      this.#wake(drafts, accepted);
      this.#log(origin, result.answer, drafts.length);
    }
    return result;
  }

  /** One message alone is accepted by statements of which only the last writes: a transaction would add two round trips. */
  #onExecutor<T>(
    drafts: readonly MessageDraft[],
    key: IdempotencyKey | undefined,
    work: (executor: Executor) => Promise<T>,
  ): Promise<T> {
    return drafts.length === 1 && !key ? work(this.database) : inTransaction(this.database, work);
  }

  async #acceptOne(executor: Executor, draft: MessageDraft): Promise<AcceptedMessage> {
    const filled = await fillInSegment(executor, draft);
    await this.payloadLimits.check(executor, filled);
    return acceptMessage(executor, filled.message, filled.selection, { pageSize: this.config.pageSize });
  }

  #log({ appId, kind }: SendOrigin, { count, messageIds, batchId }: AcceptedSend, messages: number): void {
    this.logger.info({ appId, kind, messageId: messageIds[0], batchId, messages, count }, 'message.accepted');
  }

  #wake(drafts: readonly MessageDraft[], accepted: readonly AcceptedMessage[]): void {
    this.workers.wake(
      accepted.flatMap(({ pages, needsResolving }, index) => {
        const draft = drafts[index];
        if (!draft) return [];
        const { message, selection } = draft;
        return [{ appId: selection.appId, messageId: message.id, lane: message.lane, pages, needsResolving }];
      }),
    );
  }
}

function answerOf(
  drafts: readonly MessageDraft[],
  accepted: readonly AcceptedMessage[],
  batchId: string | undefined,
): AcceptedSend {
  return {
    count: accepted.reduce((sum, { count }) => sum + count, 0),
    messageIds: drafts.slice(0, NAMED_IDS).map(({ message }) => message.id),
    ...(batchId === undefined ? {} : { batchId }),
  };
}
