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

/** How a message is accepted. */
export interface AcceptanceOptions {
  pageSize: number;
}

/** A message to named users. */
export interface NamedDraft {
  message: NewMessage;
  selection: AudienceSelection & { who: Extract<AudienceMembers, { kind: 'users' }> };
}

/** A request that may come twice, and is carried out once. */
export interface OnceTerms {
  key: string;
  /** SHA-256 of what was asked. */
  requestHash: Buffer;
  /** What is answered to the same request from here on, with the count of devices. */
  answer: JsonObject;
  /** An answer that was kept before is forgotten. */
  keptSince: Date;
}

/** A message to named users that is accepted once under its key. */
export interface KeyedDraft extends NamedDraft {
  once: OnceTerms;
}

/**
 * What became of a message with a key: it was accepted; its key stands for a request that was carried out before; or another request
 * with the key is running.
 */
export type KeyedAcceptance = { kind: 'accepted'; accepted: AcceptedMessage } | { kind: 'kept' } | { kind: 'running' };

interface AcceptedRow extends Omit<AcceptedMessage, 'needsResolving'> {
  id: string;
}

/** A row of a message with a key. The columns of `AcceptedRow` count for one that is accepted. */
interface KeyedRow extends AcceptedRow {
  kind: KeyedAcceptance['kind'];
}

/** Drafts of one kind can be accepted together: the statement for them is the same. */
export function kindOfDraft({ selection }: NamedDraft): string {
  return JSON.stringify([selection.appId, selection.reach, isOnDefaultChannel(selection.channel)]);
}

/**
 * Accepts messages to named users, all of one kind (`kindOfDraft`), in one statement: finds the devices of each, writes
 * pages (those for connected devices are held by their edge) and delivery rows, and the messages as already resolved. A
 * message that no device needs a vendor's page for is done at once.
 *
 * @returns what became of each, in the order of `drafts`
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
 * Accepts messages that have idempotency keys, all of one kind (`kindOfDraft`), in one statement with their keys and the answers that
 * are kept under them. What a key has been used for is not accepted.
 *
 * @returns what became of each, in the order of `drafts`
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
