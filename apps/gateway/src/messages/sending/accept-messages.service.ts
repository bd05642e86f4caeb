import { Inject, Injectable } from '@nestjs/common';
import type { AcceptedMessage } from '@postrider/audience';
import type { Clock, MessageKind } from '@postrider/domain';
import { type Database, DATABASE, type Executor, inTransaction } from '@postrider/persistence';
import { CLOCK, newId, type SpanPlace } from '@postrider/platform';
import type { MessageDraft } from './draft-message';
import { DraftMessages, namesNobody } from './draft-messages.service';
import { fallbacksOf } from './write-fallbacks.service';
import type { HeavyCaller } from '../../heavy-reads/heavy-caller';
import { ensureDaysOf } from './ensure-days-of';
import type { IdempotencyKey } from './idempotency-key';
import type { OnceAnswer } from './run-once';
import { checkSchedules } from './schedule-sends';
import type { ReceivedSend } from './send-body.pipe';
import { SendReport } from './send-report.service';
import { WakeWorkers } from './wake-workers.service';
import { WriteMessages } from './write-messages.service';

/** How many message ids an answer names. */
const NAMED_IDS = 20;

/** What a caller hears about an accepted send. */
export type AcceptedSend = {
  /** Devices that the messages are sent to. */
  count: number;
  messageIds: string[];
  batchId?: string;
};

/** Who sends, and through which endpoint. */
export interface SendOrigin extends HeavyCaller {
  kind: MessageKind;
  idempotencyKey?: IdempotencyKey;
  /** The request's place among traces. */
  span?: SpanPlace | undefined;
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
    private readonly writeMessages: WriteMessages,
    private readonly workers: WakeWorkers,
    private readonly report: SendReport,
    private readonly draftMessages: DraftMessages,
  ) {}

  /**
   * @throws InvalidRequest when a payload is too big for a vendor that a recipient uses, a saved segment is unknown, or `sendAt`
   *   is over;
   *   DomainError CONFLICT or IDEMPOTENCY_KEY_REUSED (see `runOnce`), RATE_LIMITED or AUDIENCE_TOO_COSTLY (see `HeavyReads`)
   */
  async accept({ messages, isBatch }: ReceivedSend, origin: SendOrigin): Promise<OnceAnswer<AcceptedSend>> {
    const { appId, kind, idempotencyKey } = origin;
    const startedAt = performance.now();
    const acceptedAt = this.clock.now();
    const batchId = isBatch ? newId(acceptedAt) : undefined;
    const draftOrigin = { appId, kind, acceptedAt, batchId };
    const { sendings, drafts: named } = await this.draftMessages.draft(messages, draftOrigin);
    const isHeavy = named.some(namesNobody);
    const replay = isHeavy ? await this.#replayOf(origin, acceptedAt) : null;
    if (replay) return replay;
    if (isHeavy) checkSchedules(messages, acceptedAt);
    const drafts = isHeavy ? await this.draftMessages.measure(named, origin) : named;
    let accepted: AcceptedMessage[] = [];
    const result = await this.#onExecutor(isOneWrite(drafts, idempotencyKey), async (executor) => {
      const work = async (): Promise<AcceptedSend> => {
        // Here, because a repeated request is answered as before although its time may be over by now.
        checkSchedules(messages, acceptedAt);
        await ensureDaysOf(this.database, sendings, acceptedAt);
        accepted = await this.#acceptAll(executor, drafts);
        return answerOf(drafts, accepted, batchId);
      };
      const request = idempotencyKey ? { ...idempotencyKey, appId, now: acceptedAt } : null;
      return this.writeMessages.once(executor, request, work);
    });
    if (!result.isReplay) {
      this.#wake(drafts, accepted);
      const { count } = result.answer;
      this.report.accepted({ appId, kind, span: origin.span, batchId, count, drafts, accepted, startedAt });
    }
    return result;
  }

  /** A repeated request is answered without counting anybody. */
  async #replayOf({ appId, idempotencyKey }: SendOrigin, now: Date): Promise<OnceAnswer<AcceptedSend> | null> {
    return idempotencyKey ? this.writeMessages.findReplay({ ...idempotencyKey, appId, now }) : null;
  }

  /** A transaction adds two round trips. */
  #onExecutor<T>(isOneWrite: boolean, work: (executor: Executor) => Promise<T>): Promise<T> {
    return isOneWrite ? work(this.database) : inTransaction(this.database, work);
  }

  async #acceptAll(executor: Executor, drafts: readonly MessageDraft[]): Promise<AcceptedMessage[]> {
    const [only] = drafts;
    await this.draftMessages.checkPayloads(
      executor,
      drafts.filter(({ measure }) => !measure),
    );
    if (executor === this.database && only) return this.writeMessages.writeOne(only);
    return this.writeMessages.writeAll(executor, drafts);
  }

  #wake(drafts: readonly MessageDraft[], accepted: readonly AcceptedMessage[]): void {
    // Not waited for: what no worker hears of the sweeper finds.
    this.workers.wake(
      accepted.map(({ pages, edges, needsResolving }, index) => {
        const { message, selection } = drafts[index] as MessageDraft;
        return { appId: selection.appId, messageId: message.id, lane: message.lane, pages, edges, needsResolving };
      }),
    );
  }
}

/** One message alone, without fallbacks or a kept answer, is accepted by statements of which only the last writes. */
function isOneWrite(drafts: readonly MessageDraft[], key: IdempotencyKey | undefined): boolean {
  return drafts.length === 1 && !key && drafts.every((draft) => fallbacksOf(draft) === null);
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
