import { DAY_MS, type JsonObject, type MessageContent, type MessageKind, type MessageStatus } from '@postrider/domain';
import { firstIdAt, momentOfId } from '@postrider/platform';
import { type Database, type Executor, rows } from '../database/executor';
import { rowsPlannedOnceByKeys } from '../database/prepared-rows';
import { joined, parameter, sql, type Sql } from '../sql';
import { conditionOnPages, conditionsOf, isBegun, isKeyAlone, type MessageFilter } from './message-filter';

/** Who gets a message that names no users (`messages.audience`); one that names users has none of these. */
export interface StoredAudience {
  /** True: every member of the channel. */
  everyone?: boolean;
  /** The rules of a send. */
  target?: JsonObject;
  segment?: JsonObject;
}

/** A message as it is read for answers. */
export interface MessageRecord {
  id: string;
  kind: MessageKind;
  isCampaign: boolean;
  /** `sending` as soon as a page was claimed. */
  status: MessageStatus;
  count: string;
  /** Devices on pages so far: all of them once `resolvedAt` is set. */
  recipients: string;
  audience: StoredAudience;
  userIds: string[] | null;
  channel: string;
  content: MessageContent;
  trackId: string | null;
  clientId: string | null;
  batchId: string | null;
  acceptedAt: Date;
  expiresAt: Date;
  resolvedAt: Date | null;
  cancelledAt: Date | null;
  doneAt: Date | null;
  rate: number | null;
  /** When the message is sent; with `localTime`, the first moment at which it is. */
  sendAt: Date | null;
  /** The local time at which a device gets it: ISO 8601 without an offset. */
  localTime: string | null;
  ignoreQuietHours: boolean;
  /** How long the message lives from its send time, where each time zone has its own. */
  ttlSeconds: number | null;
  /** How often it was changed before it left. */
  revision: number;
  /** When the winner among its variants is chosen; null: there is none to choose (any more). */
  winnerDueAt: Date | null;
  winnerVariant: string | null;
  winnerDecidedAt: Date | null;
  winnerBy: 'figures' | 'caller' | null;
}

/** A message as it is read for lists: without the users that it names, who may be a hundred thousand. */
export type ListedMessage = Omit<MessageRecord, 'userIds'>;

/** A message without the users that it names, and without its status, which takes a second statement. */
export type MessageFacts = Omit<ListedMessage, 'status'>;

/** How many messages to list, from which place. */
export interface RecordStretch {
  limit: number;
  now: Date;
}

/** Planning takes PostgreSQL half a millisecond for each more day. */
const DAYS_LOOKED_INTO = [2, 14];

/** The select list that gives `MessageFacts` from `messages m`. */
const FACTS = sql`m.id, m.kind, m.is_campaign AS "isCampaign", m.count, m.recipients, m.audience,
  m.channel, m.content, m.track_id AS "trackId", m.client_id AS "clientId",
  m.batch_id AS "batchId", m.accepted_at AS "acceptedAt", m.expires_at AS "expiresAt", m.resolved_at AS "resolvedAt",
  m.cancelled_at AS "cancelledAt", m.done_at AS "doneAt",
  m.rate, m.send_at AS "sendAt", to_char(m.local_time, 'YYYY-MM-DD"T"HH24:MI:SS') AS "localTime",
  m.ignore_quiet_hours AS "ignoreQuietHours", m.ttl_seconds AS "ttlSeconds", m.revision,
  m.winner_due_at AS "winnerDueAt", m.winner_variant AS "winnerVariant", m.winner_decided_at AS "winnerDecidedAt", m.winner_by AS "winnerBy"`;

/** The same for a `ListedMessage`, with the stored status. */
const LISTED = sql`${FACTS}, m.status`;

/** The same for a `MessageRecord`. */
const RECORD = sql`${LISTED}, m.user_ids AS "userIds"`;

/**
 * Changes the status of accepted messages to `sending` if one of their pages was claimed. The ids are values, so that
 * PostgreSQL plans reads of their days only.
 */
async function withSending<Found extends ListedMessage>(
  executor: Executor,
  appId: string,
  found: readonly Found[],
): Promise<Found[]> {
  const ids = found.filter(({ status }) => status === 'accepted').map(({ id }) => id);
  if (ids.length === 0) return [...found];
  const [app, accepted] = [parameter(appId), parameter(ids)];
  const begun = await rows<{ id: string }>(
    executor,
    sql`SELECT m.id FROM messages m WHERE m.app_id = ${app} AND m.id = ANY (${accepted}::uuid[])
          AND ${isBegun(sql`p.message_id = ANY (${accepted}::uuid[])`)}`,
  );
  const sending = new Set(begun.map(({ id }) => id));
  return found.map((message) => (sending.has(message.id) ? { ...message, status: 'sending' } : message));
}

/** Finds one message of an application, or null. */
export async function findRecord(executor: Executor, appId: string, messageId: string): Promise<MessageRecord | null> {
  const found = await rows<MessageRecord>(
    executor,
    sql`SELECT ${RECORD} FROM messages m WHERE m.app_id = ${appId} AND m.id = ${messageId}`,
  );
  return (await withSending(executor, appId, found))[0] ?? null;
}

/** Finds one message of an application, as lists show it, or null. */
export async function findListed(executor: Executor, appId: string, messageId: string): Promise<ListedMessage | null> {
  const found = await rows<ListedMessage>(
    executor,
    sql`SELECT ${LISTED} FROM messages m WHERE m.app_id = ${appId} AND m.id = ${messageId}`,
  );
  return (await withSending(executor, appId, found))[0] ?? null;
}

/** Finds one message of an application, with what most answers need of it, or null. */
export async function findFacts(executor: Executor, appId: string, messageId: string): Promise<MessageFacts | null> {
  const [found] = await rows<MessageFacts>(
    executor,
    sql`SELECT ${FACTS} FROM messages m WHERE m.app_id = ${appId} AND m.id = ${messageId}`,
  );
  return found ?? null;
}

/**
 * Lists an application's messages, newest first. It reads the last days before the place in the list first, and earlier
 * days if those have too few. Those of one key are read from all days at once, with a plan that each connection makes once:
 * an index has them in order, whatever the key is.
 */
export async function listRecords(
  database: Database,
  appId: string,
  filter: MessageFilter,
  { limit, now }: RecordStretch,
): Promise<ListedMessage[]> {
  if (isKeyAlone(filter)) {
    const statement = listStatement(appId, { filter, limit, since: null });
    return withSending(database, appId, await rowsPlannedOnceByKeys<ListedMessage>(database, statement));
  }
  const place = filter.beforeId === null ? (filter.to ?? now) : momentOfId(filter.beforeId);
  for (const days of DAYS_LOOKED_INTO) {
    const since = new Date(place.getTime() - days * DAY_MS);
    const found = await listSince(database, appId, { filter, limit, since });
    if (found.length >= limit || (filter.from && filter.from >= since)) return found;
  }
  return listSince(database, appId, { filter, limit, since: null });
}

/** Which part of a list to read. Null: of all days. */
interface ListedDays {
  filter: MessageFilter;
  limit: number;
  since: Date | null;
}

async function listSince(database: Database, appId: string, days: ListedDays): Promise<ListedMessage[]> {
  const found = await rows<ListedMessage>(database, listStatement(appId, days));
  // None of them had a claimed page a moment ago.
  return days.filter.status === 'accepted' ? found : withSending(database, appId, found);
}

function listStatement(appId: string, { filter, limit, since }: ListedDays): Sql {
  const conditions = conditionsOf(appId, filter);
  if (since) conditions.push(sql`m.id >= ${firstIdAt(since)}::uuid`);
  return sql`SELECT ${LISTED} FROM ${listedBy(conditions, conditionOnPages(filter))} ORDER BY m.id DESC LIMIT ${limit}`;
}

/**
 * The messages `m` of a list, as the rest of its statement. Pages are looked for behind the list of messages: PostgreSQL
 * would otherwise plan a read of the pages of each day for the messages of each day.
 */
function listedBy(conditions: readonly Sql[], onPages: Sql | null): Sql {
  const where = joined(conditions, ' AND ');
  if (onPages === null) return sql`messages m WHERE ${where}`;
  return sql`(SELECT * FROM messages m WHERE ${where} ORDER BY m.id DESC OFFSET 0) m WHERE ${onPages}`;
}
