import type { JsonObject } from '@postrider/domain';
import { type Executor, preparedRows } from '@postrider/persistence';
import {
  type AcceptedMessage,
  type AudienceMembers,
  type AudienceSelection,
  isOnDefaultChannel,
} from './audience-selection';
import { messageRow, type NewMessage } from './message-row';
import { namedAcceptanceSql } from './named-acceptance-sql';
import { waitingEndsAt } from './waiting-ends-at';

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

interface AcceptedRow extends Omit<AcceptedMessage, 'needsResolving'> {
  id: string;
}

/** A row of a message with a key. The columns of `AcceptedRow` are valid only if it is accepted. */
interface KeyedRow extends AcceptedRow {
  kind: KeyedAcceptance['kind'];
}

/** Returns a key: drafts with the same key are accepted by the same statement. */
export function kindOfDraft({ selection }: NamedDraft): string {
  return JSON.stringify([selection.appId, selection.reach, isOnDefaultChannel(selection.channel)]);
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
  const [first] = drafts;
  if (!first) return [];
  const statement = namedAcceptanceSql(first.selection, drafts.map(recordOf), { pageSize, isOnce: false });
  const rowOf = byMessage(await preparedRows<AcceptedRow>(executor, statement));
  return drafts.map((draft) => acceptedOf(rowOf(draft)));
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
  const [first] = drafts;
  if (!first) return [];
  const records = drafts.map((draft) => ({ ...recordOf(draft), ...keyRecordOf(draft) }));
  const statement = namedAcceptanceSql(first.selection, records, { pageSize, isOnce: true });
  const rowOf = byMessage(await preparedRows<KeyedRow>(executor, statement));
  return drafts.map((draft) => {
    const row = rowOf(draft);
    return row.kind === 'accepted' ? { kind: 'accepted', accepted: acceptedOf(row) } : { kind: row.kind };
  });
}

function recordOf({ message, selection }: NamedDraft): object {
  return {
    ...messageRow(message, selection),
    waiting_end: waitingEndsAt(selection.reach, message.acceptedAt, message.expiresAt),
  };
}

function keyRecordOf({ once: { key, requestHash, answer, keptSince } }: KeyedDraft): object {
  return { idempotency_key: key, request_hash: requestHash.toString('base64'), answer, kept_since: keptSince };
}

function byMessage<Row extends AcceptedRow>(found: readonly Row[]): (draft: NamedDraft) => Row {
  const byId = new Map(found.map((row) => [row.id, row]));
  return ({ message }) => {
    const row = byId.get(message.id);
    if (!row) throw new Error('An acceptance gave no row');
    return row;
  };
}

function acceptedOf({ count, byVendor, pages, edges }: AcceptedRow): AcceptedMessage {
  return { count, byVendor, pages, edges, needsResolving: false };
}
