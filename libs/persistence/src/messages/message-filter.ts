import { type Channel, DEFAULT_CHANNELS, type MessageKind, type MessageStatus } from '@postrider/domain';
import { firstIdAt } from '@postrider/platform';
import { type Sql, sql } from '../sql';

/** Which messages of an application are listed. Null: no filter. */
export interface MessageFilter {
  isCampaign: boolean | null;
  trackId: string | null;
  clientId: string | null;
  userId: string | null;
  batchId: string | null;
  /** Only messages accepted before this one. */
  beforeId: string | null;
  /** The status as a record shows it: `sending` if a page was claimed. */
  status?: MessageStatus | undefined;
  kind?: MessageKind | undefined;
  /** Only messages that were accepted at this moment or later, or scheduled for then when they were accepted. */
  from?: Date | undefined;
  /** Only messages that were accepted before this moment, or scheduled for an earlier time when they were accepted. */
  to?: Date | undefined;
  /** Only messages with content of their own for this language, or with a variant that has it. Case does not matter in a tag. */
  language?: string | undefined;
  /** Only messages to this channel. */
  channel?: Channel | undefined;
  /** Only messages that were made from this template. */
  templateId?: string | undefined;
}

const KEYS = new Set(['trackId', 'clientId', 'batchId']);
/** What is a part of every list, and no filter of its own. */
const PLACE = new Set(['isCampaign', 'beforeId']);

/**
 * True if the filter is a key and no more: a tracking id, a sender's id or a batch. An index has the messages of each in
 * the order of the list.
 */
export function isKeyAlone(filter: MessageFilter): boolean {
  const set = Object.entries(filter).filter(
    ([name, value]) => !PLACE.has(name) && value !== null && value !== undefined,
  );
  return set.length === 1 && set.every(([name]) => KEYS.has(name));
}

/**
 * A condition: a page of the message `m` was claimed (true or null).
 *
 * @param among what is known about the ids of the messages, as a condition on `p.message_id`: PostgreSQL plans a read
 * of the pages of each day that it does not exclude
 */
export function isBegun(among: Sql): Sql {
  return sql`(SELECT true FROM pages p WHERE p.app_id = m.app_id AND p.message_id = m.id AND ${among} AND p.fence > 0 LIMIT 1)`;
}

/** Written out, because the index of campaigns contains only campaigns. */
const KIND: Record<string, Sql> = { true: sql`m.is_campaign`, false: sql`NOT m.is_campaign`, null: sql`true` };

/**
 * The conditions on the messages `m` of the filter, without that on their pages. Filters that are not set add no
 * condition.
 */
export function conditionsOf(appId: string, filter: MessageFilter): Sql[] {
  const { trackId, clientId, userId, batchId, beforeId } = filter;
  const conditions = [sql`m.app_id = ${appId}`, KIND[String(filter.isCampaign)] as Sql];
  if (trackId !== null) conditions.push(sql`m.track_id = ${trackId}`);
  if (clientId !== null) conditions.push(sql`m.client_id = ${clientId}`);
  if (userId !== null) conditions.push(sql`m.user_ids @> ARRAY[${userId}::text]`);
  if (batchId !== null) conditions.push(sql`m.batch_id = ${batchId}::uuid`);
  if (beforeId !== null) conditions.push(sql`m.id < ${beforeId}::uuid`);
  return [...conditions, ...furtherConditions(filter)];
}

function furtherConditions(filter: MessageFilter): Sql[] {
  const { status, kind, from, to } = filter;
  const conditions = status === undefined ? [] : [STATUS[status]];
  if (kind !== undefined) conditions.push(sql`m.kind = ${kind}`);
  // An id holds the moment of acceptance; of a scheduled message, the one for which it was accepted.
  if (from !== undefined) conditions.push(sql`m.id >= ${firstIdAt(from)}::uuid`);
  if (to !== undefined) conditions.push(sql`m.id < ${firstIdAt(to)}::uuid`);
  return [...conditions, ...contentConditions(filter)];
}

const ANY_DAY = sql`true`;

/** Messages that are not done have a `wake_at`: its index finds the few among all. Their pages tell which of them are being sent. */
const NOT_DONE = sql`m.status = 'accepted' AND m.wake_at IS NOT NULL`;
const STATUS: Record<MessageStatus, Sql> = {
  accepted: NOT_DONE,
  sending: NOT_DONE,
  done: sql`m.status = 'done'`,
  cancelled: sql`m.status = 'cancelled'`,
};

/** The condition of the filter on the pages of a message `m`. Null: none. */
export function conditionOnPages({ status }: MessageFilter): Sql | null {
  if (status === 'accepted') return sql`${isBegun(ANY_DAY)} IS NULL`;
  return status === 'sending' ? isBegun(ANY_DAY) : null;
}

/**
 * The indexes of channels, templates and languages leave out messages to the default channel, and messages without a
 * template or language.
 */
function contentConditions({ language, channel, templateId }: MessageFilter): Sql[] {
  const conditions: Sql[] = [];
  if (channel !== undefined) {
    conditions.push(sql`m.channel = ${channel}`);
    if (!DEFAULT_CHANNELS.includes(channel))
      conditions.push(sql`m.channel NOT IN ('public/default', 'private/default')`);
  }
  if (templateId !== undefined) {
    conditions.push(sql`m.content ? 'templateId' AND m.content ->> 'templateId' = ${templateId}`);
  }
  if (language !== undefined) {
    conditions.push(sql`(m.content ? 'localized' OR m.content ? 'variants')`);
    conditions.push(sql`(${hasLanguage(sql`m.content`, language)} OR EXISTS (
      SELECT FROM jsonb_array_elements(m.content -> 'variants') AS variant (own) WHERE ${hasLanguage(sql`own`, language)}
    ))`);
  }
  return conditions;
}

/** A condition: the content has texts of its own for this language, however it spells the tag. */
function hasLanguage(content: Sql, language: string): Sql {
  return sql`EXISTS (SELECT FROM jsonb_object_keys(${content} -> 'localized') AS tag WHERE lower(tag) = lower(${language}::text))`;
}
