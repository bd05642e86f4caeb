import { Inject, Injectable } from '@nestjs/common';
import { type AcceptedMessage, isNamed, type NamedDraft } from '@postrider/audience';
import type { ValidatedSend } from '@postrider/contracts';
import { DAY_MS, inParts, MAX_SCHEDULE_DAYS } from '@postrider/domain';
import {
  type Database,
  DATABASE,
  IdempotencyRepository,
  inTransaction,
  PartitionsRepository,
} from '@postrider/persistence';
import { SavedDrafts } from '../../drafts/saved-drafts.service';
import { AcceptanceBatches } from './acceptance-batches.service';
import { checkExpectedCounts, checkSchedules, type MessageDraft, type ScheduledSend } from './draft-message';
import { DraftMessages } from './draft-messages.service';
import { findReplay, keptSince, type KeyedRequest, type OnceAnswer, runOnce, stillRunning } from './idempotency';
import { fallbacksOf, WriteFallbacks } from './write-fallbacks.service';

/** A message to more users than this is written by itself. */
const FEW_USERS = 20;
/** As many messages as one statement takes. Between two statements, other requests have their turn. */
const MESSAGES_AT_ONCE = 500;

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
interface SendToWrite {
  messages: readonly ValidatedSend[];
  sendings: readonly ScheduledSend[];
  drafts: readonly MessageDraft[];
  batchId: string | undefined;
  /** Null: it has no idempotency key. */
  request: KeyedRequest | null;
}

/**
 * Writes the drafted messages of one request to the ledger, with everything that belongs to them: all of it or nothing.
 */
@Injectable()
export class WriteMessages {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly idempotency: IdempotencyRepository,
    private readonly draftMessages: DraftMessages,
    private readonly batches: AcceptanceBatches,
    private readonly fallbacks: WriteFallbacks,
    private readonly savedDrafts: SavedDrafts,
  ) {}

  /** Returns the answer that this request got before, or null. @throws DomainError as `findReplay` */
  findReplay(request: KeyedRequest): Promise<OnceAnswer<AcceptedSend> | null> {
    return findReplay({ executor: this.database, idempotency: this.idempotency }, request);
  }

  /** Writes a send in the cheapest way that accepts all of it or nothing. */
  write(send: SendToWrite): Promise<Acceptance> {
    const { batchId, request } = send;
    const only = onlyWriteOf(send);
    if (only === null) return this.#writeInTransaction(send);
    if (request === null) return this.#writeAlone(send, only);
    return isForFew(only) ? this.#writeOnce(only, request, batchId) : this.#writeInTransaction(send);
  }

  /** Writes one message by a single statement without a transaction, which would add two round trips. */
  async #writeAlone({ messages, sendings, batchId }: SendToWrite, draft: MessageDraft): Promise<Acceptance> {
    const { acceptedAt } = draft.selection;
    await ensureDaysOf(this.database, sendings, acceptedAt);
    checkSchedules(messages, acceptedAt);
    await this.draftMessages.checkPayloads(this.database, [draft]);
    const accepted = isForFew(draft)
      ? [await this.batches.accept(draft)]
      : await this.batches.acceptAll(this.database, [draft]);
    return { answer: answerOf([draft], accepted, batchId), isReplay: false, accepted };
  }

  /** Writes one message in a common statement with those of other requests, which also takes its idempotency key. */
  async #writeOnce(
    draft: MessageDraft & NamedDraft,
    request: KeyedRequest,
    batchId: string | undefined,
  ): Promise<Acceptance> {
    try {
      await this.draftMessages.checkPayloads(this.database, [draft]);
    } catch (error) {
      // A repeated request gets its earlier answer, although the texts of the application may be longer now.
      const replay = await this.findReplay(request);
      if (replay) return { ...replay, accepted: [] };
      throw error;
    }
    const { key, requestHash, now } = request;
    const answer = { messageIds: [draft.message.id], ...(batchId === undefined ? {} : { batchId }) };
    // The statement adds the count to the answer that it keeps.
    const outcome = await this.batches.acceptOnce({
      ...draft,
      once: { key, requestHash, answer, keptSince: keptSince(now) },
    });
    if (outcome.kind === 'accepted') {
      const { accepted } = outcome;
      return { answer: { count: accepted.count, ...answer }, isReplay: false, accepted: [accepted] };
    }
    const replay = outcome.kind === 'kept' ? await this.findReplay(request) : null;
    if (replay === null) throw stillRunning();
    return { ...replay, accepted: [] };
  }

  /** Writes any messages, with their fallbacks, the drafts that they end, and the idempotency key of their request. */
  async #writeInTransaction({ messages, sendings, drafts, batchId, request }: SendToWrite): Promise<Acceptance> {
    const [first] = drafts;
    const { appId, acceptedAt } = (first as MessageDraft).selection;
    const accepted: AcceptedMessage[] = [];
    await ensureDaysOf(this.database, sendings, acceptedAt);
    const result = await inTransaction(this.database, (executor) =>
      runOnce({ executor, idempotency: this.idempotency }, request, async (): Promise<AcceptedSend> => {
        // Checked here: a repeated request gets its earlier answer, although its time may have passed.
        checkSchedules(messages, acceptedAt);
        await this.draftMessages.checkPayloads(executor, drafts);
        for (const some of inParts(drafts, MESSAGES_AT_ONCE)) {
          accepted.push(...(await this.batches.acceptAll(executor, some)));
          await this.fallbacks.write(executor, some);
        }
        checkExpectedCounts(drafts, accepted);
        await this.savedDrafts.clear(executor, appId, messages);
        return answerOf(drafts, accepted, batchId);
      }),
    );
    return { ...result, accepted };
  }
}

/**
 * Returns the message of a send that needs no transaction, or null. A single message without fallbacks and without a
 * saved draft is one write; one with an expected count is rolled back if the count differs.
 */
function onlyWriteOf({ messages, drafts }: SendToWrite): MessageDraft | null {
  const [only] = drafts;
  if (only === undefined || drafts.length > 1 || messages.some(({ draft }) => draft)) return null;
  return only.expected || fallbacksOf(only) !== null ? null : only;
}

/** True if a message may share a statement with others: it goes to so few users that no other message waits for it. */
function isForFew(draft: MessageDraft): draft is MessageDraft & NamedDraft {
  const { who } = draft.selection;
  return isNamed(draft) && who.kind === 'users' && who.userIds.length <= FEW_USERS;
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
