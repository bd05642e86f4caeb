import { Inject, Injectable } from '@nestjs/common';
import type { AcceptedMessage } from '@postrider/audience';
import { type Clock, DAY_MS, type MessageKind } from '@postrider/domain';
import { CLOCK, firstSpanOf, LOGGER, type Logger, newId, type SpanPlace, Traces } from '@postrider/platform';
import { type Database, DATABASE, type Executor, inTransaction, PartitionsRepository } from '@postrider/persistence';
import type { HeavyCaller } from '../../heavy-reads/heavy-reads.service';
import { checkExpectedCounts, checkSchedules, type MessageDraft, type ScheduledSend } from './draft-message';
import { DraftMessages, namesNobody } from './draft-messages.service';
import { fallbacksOf } from './write-fallbacks.service';
import type { IdempotencyKey, OnceAnswer } from './idempotency';
import type { ReceivedSend } from './send-body.pipe';
import { WakeWorkers } from './wake-workers.service';
import { WriteMessages } from './write-messages.service';

/** An accepted send, as it is reported to the operator. */
interface ReportedSend {
  appId: string;
  kind: MessageKind;
  /** The request's place among traces. */
  span?: SpanPlace | undefined;
  batchId?: string | undefined;
  /** Devices that the messages are sent to. */
  count: number;
  drafts: readonly MessageDraft[];
  /** The result of each draft, in the same order. */
  accepted: readonly AcceptedMessage[];
  /** From `performance.now()`. */
  startedAt: number;
}

/** Reports every accepted send to the operator: one log line, and the first span of each message's trace. */
@Injectable()
export class SendReport {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly traces: Traces,
  ) {}

  accepted(send: ReportedSend): void {
    const { appId, kind, batchId, count, drafts } = send;
    const messageId = drafts[0]?.message.id;
    this.logger.info({ appId, kind, messageId, batchId, messages: drafts.length, count }, 'message.accepted');
    if (this.traces.isOn) this.#trace(send);
  }

  #trace({ appId, kind, span, batchId: batch, drafts, accepted, startedAt }: ReportedSend): void {
    const links = span === undefined ? [] : [span];
    drafts.forEach(({ message: { id, lane } }, index) => {
      const { count, pages, needsResolving } = accepted[index] as AcceptedMessage;
      this.traces.record({
        name: 'accept message',
        place: { first: firstSpanOf(id) },
        links,
        startedAt,
        facts: {
          application: appId,
          message: id,
          kind,
          lane,
          batch,
          devices: count,
          pages: pages.length,
          needsResolving,
        },
      });
    });
  }
}

/** The days of the ledger that there surely are: upkeep makes those of the next two weeks. */
const MADE_AHEAD_MS = 12 * DAY_MS;

/** Makes the days of the ledger that messages far ahead belong to, where they are missing. */
async function ensureDaysOf(database: Database, sendings: readonly ScheduledSend[], now: Date): Promise<void> {
  const far = sendings.filter(({ firstAt }) => firstAt.getTime() - now.getTime() > MADE_AHEAD_MS);
  const days = new Map(far.map(({ firstAt }) => [firstAt.toISOString().slice(0, 10), firstAt]));
  const partitions = new PartitionsRepository(database);
  for (const day of days.values()) await partitions.ensure(day, 0);
}

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
interface SendOrigin extends HeavyCaller {
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
   * @throws InvalidRequest when the send is refused, a payload is too big for a vendor that a recipient uses, a saved segment is unknown, or `sendAt`
   *   is over;
   *   DomainError AUDIENCE_CHANGED when an audience is not of the expected size, and nothing is accepted;
   *   EDIT_CONFLICT when a draft that a message names was saved since, or is gone, and nothing is accepted;
   *   CONFLICT or IDEMPOTENCY_KEY_REUSED (see `runOnce`), RATE_LIMITED or AUDIENCE_TOO_COSTLY (see `HeavyReads`)
   */
  async accept({ messages, isBatch, refusal }: ReceivedSend, origin: SendOrigin): Promise<OnceAnswer<AcceptedSend>> {
    const { appId, kind, idempotencyKey } = origin;
    const startedAt = performance.now();
    const acceptedAt = this.clock.now();
    const batchId = isBatch ? newId(acceptedAt) : undefined;
    const draftOrigin = { appId, kind, acceptedAt, batchId };
    const { sendings, drafts: named } = await this.draftMessages.draft(messages, draftOrigin);
    const isHeavy = named.some(namesNobody);
    const replay = isHeavy || refusal ? await this.#replayOf(origin, acceptedAt) : null;
    if (replay) return replay;
    if (refusal) throw refusal;
    if (isHeavy) checkSchedules(messages, acceptedAt);
    const drafts = isHeavy ? await this.draftMessages.measure(named, origin) : named;
    let accepted: AcceptedMessage[] = [];
    const result = await this.#onExecutor(
      isOneWrite(drafts, idempotencyKey) && !messages.some(({ draft }) => draft),
      async (executor) => {
        const work = async (): Promise<AcceptedSend> => {
          // Here, because a repeated request is answered as before although its time may be over by now.
          checkSchedules(messages, acceptedAt);
          await ensureDaysOf(this.database, sendings, acceptedAt);
          accepted = await this.#acceptAll(executor, drafts);
          checkExpectedCounts(drafts, accepted);
          await this.writeMessages.clearDrafts(executor, appId, messages);
          return answerOf(drafts, accepted, batchId);
        };
        const request = idempotencyKey ? { ...idempotencyKey, appId, now: acceptedAt } : null;
        return this.writeMessages.once(executor, request, work);
      },
    );
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
    // Not waited for: recovery finds what no worker hears of.
    this.workers.wake(
      accepted.map(({ count, pages, edges, needsResolving }, index) => {
        const { message, selection } = drafts[index] as MessageDraft;
        const { id: messageId, lane } = message;
        return { appId: selection.appId, messageId, lane, count, pages, edges, needsResolving };
      }),
    );
  }
}

/**
 * One message alone, without fallbacks or a kept answer, is accepted by statements of which only the last writes. One with an
 * expected count is taken back when the count turns out to be another.
 */
function isOneWrite(drafts: readonly MessageDraft[], key: IdempotencyKey | undefined): boolean {
  return drafts.length === 1 && !key && drafts.every((draft) => !draft.expected && fallbacksOf(draft) === null);
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
