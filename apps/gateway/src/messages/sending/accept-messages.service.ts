import { Inject, Injectable } from '@nestjs/common';
import type { AcceptedMessage } from '@postrider/audience';
import type { Clock, MessageKind } from '@postrider/domain';
import { CLOCK, newId, type SpanPlace } from '@postrider/platform';
import type { HeavyCaller } from '../../heavy-reads/heavy-reads.service';
import { checkSchedules, type MessageDraft } from './draft-message';
import { DraftMessages, namesNobody } from './draft-messages.service';
import type { IdempotencyKey, KeyedRequest, OnceAnswer } from './idempotency';
import type { ReceivedSend } from './send-body.pipe';
import { SendReport } from './send-report.service';
import { WakeWorkers } from './wake-workers.service';
import { type AcceptedSend, WriteMessages } from './write-messages.service';

/** The caller, and the endpoint of the send. */
interface SendOrigin {
  caller: HeavyCaller;
  kind: MessageKind;
  idempotencyKey?: IdempotencyKey;
  /** The request's place among traces. */
  span?: SpanPlace | undefined;
}

/**
 * Accepts the messages of one request: all of them or none, in one transaction. When `accept` returns, they are in the
 * ledger and are sent, whatever happens to Redis or to this process.
 */
@Injectable()
export class AcceptMessages {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly draftMessages: DraftMessages,
    private readonly writeMessages: WriteMessages,
    private readonly workers: WakeWorkers,
    private readonly report: SendReport,
  ) {}

  /**
   * @throws InvalidRequest if the send is refused, a payload is too big for a vendor that a recipient uses, a saved
   *   segment is unknown, or `sendAt` has passed; DomainError AUDIENCE_CHANGED if an audience is not of the expected
   *   size, and nothing is accepted; EDIT_CONFLICT if a draft that a message names was saved since, or is gone, and
   *   nothing is accepted; CONFLICT or IDEMPOTENCY_KEY_REUSED (see `runOnce`), RATE_LIMITED or AUDIENCE_TOO_COSTLY (see
   *   `HeavyReads`)
   */
  async accept({ messages, isBatch, refusal }: ReceivedSend, origin: SendOrigin): Promise<OnceAnswer<AcceptedSend>> {
    const { caller, kind } = origin;
    const { appId } = caller;
    const startedAt = performance.now();
    const acceptedAt = this.clock.now();
    const request = keyedRequestOf(origin, acceptedAt);
    const batchId = isBatch ? newId(acceptedAt) : undefined;
    const { sendings, drafts: named } = await this.draftMessages.draft(messages, { appId, kind, acceptedAt, batchId });
    const isHeavy = named.some(namesNobody);
    // A repeated request is answered without a count.
    const replay = request && (isHeavy || refusal) ? await this.writeMessages.findReplay(request) : null;
    if (replay) return replay;
    if (refusal) throw refusal;
    if (isHeavy) checkSchedules(messages, acceptedAt);
    const drafts = isHeavy ? await this.draftMessages.measure(named, caller) : named;
    const { accepted, ...result } = await this.writeMessages.write({ messages, sendings, drafts, batchId, request });
    if (!result.isReplay) {
      this.#wake(drafts, accepted);
      const { count } = result.answer;
      this.report.accepted({ appId, kind, span: origin.span, batchId, count, drafts, accepted, startedAt });
    }
    return result;
  }

  #wake(drafts: readonly MessageDraft[], accepted: readonly AcceptedMessage[]): void {
    // This does not wait: recovery finds work that no worker was told about.
    this.workers.wake(
      accepted.map(({ count, pages, edges, needsResolving }, index) => {
        const { message, selection } = drafts[index] as MessageDraft;
        const { id: messageId, lane } = message;
        return { appId: selection.appId, messageId, lane, count, pages, edges, needsResolving };
      }),
    );
  }
}

function keyedRequestOf({ caller: { appId }, idempotencyKey }: SendOrigin, now: Date): KeyedRequest | null {
  return idempotencyKey ? { ...idempotencyKey, appId, now } : null;
}
