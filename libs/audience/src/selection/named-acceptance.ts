import { type JsonObject, waitingEndsAt } from '@postrider/domain';
import { dayOfMessage, type Executor, type LedgerDay, preparedRowsOfDay } from '@postrider/persistence';
import {
  type AcceptedMessage,
  type AudienceMembers,
  type AudienceSelection,
  isOnDefaultChannel,
} from './audience-selection';
import { messageRow, type NewMessage } from './message-row';
import { namedAcceptanceSql } from './named-acceptance-sql';
import { type PageRow, readWritten } from './named-distribution-sql';

/** The options of acceptance. */
export interface AcceptanceOptions {
  pageSize: number;
}

/** A message to named users. */
export interface NamedDraft {
  message: NewMessage;
  selection: AudienceSelection & { who: Extract<AudienceMembers, { kind: 'users' }> };
}

/** The idempotency key of a request that may come twice, and is carried out once. */
export interface OnceTerms {
  key: string;
  /** SHA-256 of the request. */
  requestHash: Buffer;
  /** The answer to repetitions of the request; the count of devices is added to it. */
  answer: JsonObject;
  /** Answers from before this moment are forgotten. */
  keptSince: Date;
}

/** A message to named users that is accepted once under its key. */
export interface KeyedDraft extends NamedDraft {
  once: OnceTerms;
}

/**
 * The result for a message with a key: it was accepted; its key belongs to a request that was carried out before
 * (`kept`); or another request with the key is running.
 */
export type KeyedAcceptance = { kind: 'accepted'; accepted: AcceptedMessage } | { kind: 'kept' } | { kind: 'running' };

/** The row of a message. */
interface MessageRow {
  messageId: string;
  kind: KeyedAcceptance['kind'];
  /** The number of devices that it is sent to. */
  devices: number;
  /** The number of those that are reached by their connection. */
  waiting: number;
}

/** Returns a key: drafts with the same key are accepted by the same statement. */
export function kindOfDraft({ message, selection: { appId, reach, channel } }: NamedDraft): string {
  return `${dayOfMessage(message.id).name} ${reach} ${isOnDefaultChannel(channel)} ${appId}`;
}

/**
 * Accepts messages to named users, all of one kind (`kindOfDraft`), in one statement. It finds the devices of each
 * message, writes pages (those for connected devices are owned by their edge) and delivery rows, and writes the
 * messages as already resolved. A message that needs no page of a vendor is done at once.
 * @returns the result of each, in the order of `drafts`
 */
export async function acceptForNamedUsers(
  executor: Executor,
  drafts: readonly NamedDraft[],
  pageSize: number,
): Promise<AcceptedMessage[]> {
  const outcomeOf = await acceptKind(executor, drafts, { records: drafts.map(recordOf), pageSize, isOnce: false });
  return drafts.map((draft) => outcomeOf(draft).accepted);
}

/**
 * Accepts messages with idempotency keys, all of one kind (`kindOfDraft`), in one statement, which also writes their
 * keys and the answers that are kept under them. A message whose key is in use is not accepted.
 * @returns the result of each, in the order of `drafts`
 */
export async function storeMessagesOnce(
  executor: Executor,
  drafts: readonly KeyedDraft[],
  { pageSize }: AcceptanceOptions,
): Promise<KeyedAcceptance[]> {
  const records = drafts.map((draft) => ({ ...recordOf(draft), ...keyRecordOf(draft) }));
  const outcomeOf = await acceptKind(executor, drafts, { records, pageSize, isOnce: true });
  return drafts.map((draft) => {
    const { kind, accepted } = outcomeOf(draft);
    return kind === 'accepted' ? { kind, accepted } : { kind };
  });
}

/** The outcome of one message; `accepted` is valid only if it is accepted. */
interface Outcome {
  kind: KeyedAcceptance['kind'];
  accepted: AcceptedMessage;
}

async function acceptKind(
  executor: Executor,
  drafts: readonly NamedDraft[],
  { records, pageSize, isOnce }: { records: readonly object[]; pageSize: number; isOnce: boolean },
): Promise<(draft: NamedDraft) => Outcome> {
  const [first] = drafts;
  const outcomes = new Map<string, Outcome>();
  if (first) {
    const { appId, reach, channel } = first.selection;
    const day: LedgerDay = dayOfMessage(first.message.id);
    const kind = { reach, isOnDefaultChannel: isOnDefaultChannel(channel), day, isOnce };
    const statement = namedAcceptanceSql(kind, { appId, records: JSON.stringify(records), pageSize });
    for (const { row, written } of readWritten(await preparedRowsOfDay<MessageRow | PageRow>(executor, statement))) {
      const accepted = { count: row.devices, ...written, needsResolving: false };
      outcomes.set(row.messageId, { kind: row.kind, accepted });
    }
  }
  return ({ message }) => {
    const outcome = outcomes.get(message.id);
    if (!outcome) throw new Error('An acceptance gave no row');
    return outcome;
  };
}

function recordOf({ message, selection }: NamedDraft): object {
  return {
    ...messageRow(message, selection),
    waiting_end: new Date(
      waitingEndsAt(selection.reach === 'live', message.acceptedAt.getTime(), message.expiresAt.getTime()),
    ),
  };
}

function keyRecordOf({ once: { key, requestHash, answer, keptSince } }: KeyedDraft): object {
  return { idempotency_key: key, request_hash: requestHash.toString('base64'), answer, kept_since: keptSince };
}
