import { Inject, Injectable } from '@nestjs/common';
import type { AcceptedMessage, NamedDraft } from '@postrider/audience';
import type { ValidatedSend } from '@postrider/contracts';
import { type Clock, DAY_MS, MAX_SCHEDULE_DAYS, type MessageKind } from '@postrider/domain';
import { CLOCK, newId, type SpanPlace } from '@postrider/platform';
import { type Database, DATABASE, type Executor, inTransaction, PartitionsRepository } from '@postrider/persistence';
import type { HeavyCaller } from '../../heavy-reads/heavy-reads.service';
import { checkExpectedCounts, checkSchedules, type MessageDraft, type ScheduledSend } from './draft-message';
import { DraftMessages, namesNobody } from './draft-messages.service';
import { fallbacksOf } from './write-fallbacks.service';
import type { IdempotencyKey, KeyedRequest, OnceAnswer } from './idempotency';
import type { ReceivedSend } from './send-body.pipe';
import { SendReport } from './send-report.service';
import { WakeWorkers } from './wake-workers.service';
import { WriteMessages } from './write-messages.service';

/** The days of the ledger until then exist: a maintenance task makes those of the next two weeks. */
const MADE_AHEAD_MS = 12 * DAY_MS;

/**
 * Makes the days of the ledger that messages far ahead belong to, if they do not exist. Call it before a transaction: it
 * needs a connection, and requests that hold one and wait for a second one could wait for each other.
 */
async function ensureDaysOf(database: Database, sendings: readonly ScheduledSend[], now: Date): Promise<void> {
  const far = sendings.filter(({ firstAt }) => {
    const ahead = firstAt.getTime() - now.getTime();
    // What is further ahead is refused later.
    return ahead > MADE_AHEAD_MS && ahead <= MAX_SCHEDULE_DAYS * DAY_MS;
  });
  const days = new Map(far.map(({ firstAt }) => [firstAt.toISOString().slice(0, 10), firstAt]));
  const partitions = new PartitionsRepository(database);
  for (const day of days.values()) await partitions.ensure(day, 0);
}

/** How many message ids an answer names. */
const NAMED_IDS = 20;

/** The answer about an accepted send. */
export type AcceptedSend = {
  /** Devices that the messages are sent to. */
  count: number;
  messageIds: string[];
  batchId?: string;
};

/** The result of a send that is accepted now or was accepted before; `accepted` has the result of each draft now. */
interface Acceptance extends OnceAnswer<AcceptedSend> {
  accepted: AcceptedMessage[];
}

/** A send that is ready to be written. */
interface SendToAccept {
  messages: readonly ValidatedSend[];
  sendings: readonly ScheduledSend[];
  drafts: readonly MessageDraft[];
  batchId: string | undefined;
  /** Null: it has no idempotency key. */
  request: KeyedRequest | null;
}

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
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly writeMessages: WriteMessages,
    private readonly workers: WakeWorkers,
    private readonly report: SendReport,
    private readonly draftMessages: DraftMessages,
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
    const replay = request && (isHeavy || refusal) ? await this.writeMessages.findReplay<AcceptedSend>(request) : null;
    if (replay) return replay;
    if (refusal) throw refusal;
    if (isHeavy) checkSchedules(messages, acceptedAt);
    const drafts = isHeavy ? await this.draftMessages.measure(named, caller) : named;
    const { accepted, ...result } = await this.#write({ messages, sendings, drafts, batchId, request });
    if (!result.isReplay) {
      this.#wake(drafts, accepted);
      const { count } = result.answer;
      this.report.accepted({ appId, kind, span: origin.span, batchId, count, drafts, accepted, startedAt });
    }
    return result;
  }

  /** Writes a send in the cheapest way that accepts all of it or nothing. */
  #write(send: SendToAccept): Promise<Acceptance> {
    const { messages, drafts, batchId, request } = send;
    const [only] = drafts;
    const isOne = isOneWrite(drafts) && !messages.some(({ draft }) => draft);
    if (!isOne || only === undefined) return this.#writeInTransaction(send);
    if (request === null) return this.#writeAlone(send, only);
    if (this.writeMessages.canShare(only)) return this.#writeOnce(only, request, batchId);
    return this.#writeInTransaction(send);
  }

  /** Writes one message by a single statement without a transaction, which would add two round trips. */
  async #writeAlone({ messages, sendings, batchId }: SendToAccept, draft: MessageDraft): Promise<Acceptance> {
    const { acceptedAt } = draft.selection;
    await ensureDaysOf(this.database, sendings, acceptedAt);
    checkSchedules(messages, acceptedAt);
    await this.#checkPayloads(this.database, [draft]);
    const accepted = await this.writeMessages.writeOne(draft);
    return { answer: answerOf([draft], accepted, batchId), isReplay: false, accepted };
  }

  /** Writes one message in a common statement with those of other requests, which also takes its idempotency key. */
  async #writeOnce(
    draft: MessageDraft & NamedDraft,
    request: KeyedRequest,
    batchId: string | undefined,
  ): Promise<Acceptance> {
    try {
      await this.#checkPayloads(this.database, [draft]);
    } catch (error) {
      // A repeated request gets its earlier answer, although the texts of the application may be longer now.
      const replay = await this.writeMessages.findReplay<AcceptedSend>(request);
      if (replay) return { ...replay, accepted: [] };
      throw error;
    }
    const ids = { messageIds: [draft.message.id], ...(batchId === undefined ? {} : { batchId }) };
    const outcome = await this.writeMessages.writeOnce<AcceptedSend>(draft, request, ids);
    if ('isReplay' in outcome) return { ...outcome, accepted: [] };
    return { answer: { count: outcome.count, ...ids }, isReplay: false, accepted: [outcome] };
  }

  /** Writes any messages, with their fallbacks, the drafts that they end, and the idempotency key of their request. */
  async #writeInTransaction({ messages, sendings, drafts, batchId, request }: SendToAccept): Promise<Acceptance> {
    const [first] = drafts;
    const { appId, acceptedAt } = (first as MessageDraft).selection;
    let accepted: AcceptedMessage[] = [];
    await ensureDaysOf(this.database, sendings, acceptedAt);
    const result = await inTransaction(this.database, (executor) => {
      const work = async (): Promise<AcceptedSend> => {
        // Checked here: a repeated request gets its earlier answer, although its time may have passed.
        checkSchedules(messages, acceptedAt);
        await this.#checkPayloads(executor, drafts);
        accepted = await this.writeMessages.writeAll(executor, drafts);
        checkExpectedCounts(drafts, accepted);
        await this.writeMessages.clearDrafts(executor, appId, messages);
        return answerOf(drafts, accepted, batchId);
      };
      return this.writeMessages.once(executor, request, work);
    });
    return { ...result, accepted };
  }

  /** Checks the payloads of the messages whose audience was not measured: measuring includes this check. */
  #checkPayloads(executor: Executor, drafts: readonly MessageDraft[]): Promise<void> {
    return this.draftMessages.checkPayloads(
      executor,
      drafts.filter(({ measure }) => !measure),
    );
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

/**
 * True for one message without fallbacks and without an expected count: only the last of its statements writes. A
 * message with an expected count needs a transaction, which is rolled back if the count differs.
 */
function isOneWrite(drafts: readonly MessageDraft[]): boolean {
  return drafts.length === 1 && drafts.every((draft) => !draft.expected && fallbacksOf(draft) === null);
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
