import type { MessageContent } from '@postrider/domain';
import { parameter, sql, type Sql } from '../sql';
import { nameKey } from '../statistics/message-count-key';
import { erasedKeyOf } from '../idempotency/erased-key';

/** Links and actions are counted under this name if their own names identify an erased user. */
const ERASED_NAME = '(erased)';

/** A pattern that every text matches. */
export const ANY_TEXT = '';

/**
 * A regular expression of PostgreSQL that finds one of `texts`, as it is or encoded for a URL, but not as a part of a
 * longer word or number.
 */
export function patternOf(texts: readonly string[]): string {
  return `${BEFORE}${literalOf(texts)}${BEHIND}`;
}

/** Like a pattern of `patternOf`, but it matches the text alone, without the characters around it. */
export function barePatternOf(pattern: string): string {
  return `(?<![[:alnum:]])${pattern.slice(BEFORE.length, -BEHIND.length)}(?![[:alnum:]])`;
}

const BEFORE = '(?:^|[^[:alnum:]])';
const BEHIND = '(?:$|[^[:alnum:]])';

function literalOf(texts: readonly string[]): string {
  const written = texts.flatMap((text) => [text, encodeURIComponent(Buffer.from(text).toString())]);
  const literal = [...new Set(written)].map((text) => text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&'));
  return `(?:${literal.join('|')})`;
}

/**
 * Counts the links and actions of these messages whose names match `pattern` under `(erased)`, so that the sums stay. A
 * name that the message itself has, the same for everybody who gets it, identifies nobody: it stays, unless the message
 * is for this user alone.
 */
export function eraseNamesStatement(
  { appId: app, userId, pattern }: { appId: string; userId: string; pattern: string },
  messageIds: readonly string[],
): Sql {
  const [appId, ids, nameKeyOfErased] = [parameter(app), parameter(messageIds), parameter(nameKey(ERASED_NAME))];
  return sql`
  WITH gone AS (
    DELETE FROM message_counts c USING messages m
    WHERE c.app_id = ${appId} AND c.message_id = ANY (${ids}::uuid[]) AND c.kind IN ('action', 'link', 'click')
      AND m.app_id = ${appId} AND m.id = ANY (${ids}::uuid[]) AND m.id = c.message_id AND c.name ~ ${pattern} AND c.name_key <> ${nameKeyOfErased}
      AND (m.user_ids = ARRAY[${userId}::text] OR strpos(m.content::text, btrim(to_json(c.name)::text, '"')) = 0)
    RETURNING c.app_id, c.message_id, c.kind, c.hour, c.platform, c.count, c.amount
  )
  INSERT INTO message_counts AS m (app_id, message_id, kind, name_key, hour, platform, name, count, amount)
  SELECT app_id, message_id, kind, ${nameKeyOfErased}::bytea, hour, platform, ${ERASED_NAME}::text, sum(count)::bigint, sum(amount) FROM gone
  GROUP BY app_id, message_id, kind, hour, platform
  ON CONFLICT (app_id, message_id, kind, name_key, hour, platform) DO UPDATE
  SET count = m.count + excluded.count, amount = m.amount + excluded.amount`;
}

/** The content of a message whose only user was erased. */
const NOTHING: MessageContent = { useAsAlert: false, silent: false, inApp: false, live: false, autoNotify: false };
const NO_CONTENT = JSON.stringify(NOTHING);

/** Some messages of an application, and the user who is removed from them. */
interface MessagesOfErased {
  appId: string;
  userId: string;
  messageIds: readonly string[];
  now: Date;
}

/** An erased user's fallbacks still count, under ids that no user has: they begin with a control character. */
export function eraseFallbacksStatement({ appId, userId, messageIds, now }: MessagesOfErased): Sql {
  return sql`
  UPDATE fallbacks SET user_id = chr(1) || gen_random_uuid(), fallback_id = gen_random_uuid(),
    state = CASE WHEN state = 'waiting' THEN 'cancelled' ELSE state END, wake_at = NULL, phone = NULL,
    provider_message_id = NULL, text_digest = NULL, reason = NULL, ended_at = coalesce(ended_at, ${now}::timestamptz)
  WHERE app_id = ${appId} AND message_id = ANY (${messageIds}::uuid[]) AND user_id = ${userId}`;
}

/** Recovery ends what is left of a cancelled message: pages, and deliveries that wait for connections. */
export function emptyMessagesStatement({ appId: app, userId: user, messageIds, now }: MessagesOfErased): Sql {
  const [appId, userId, ids, at] = [parameter(app), parameter(user), parameter(messageIds), parameter(now)];
  return sql`
  UPDATE messages m SET user_ids = array_remove(m.user_ids, ${userId}::text),
    content = CASE WHEN kept.is_alone THEN ${NO_CONTENT}::jsonb ELSE m.content END,
    client_id = CASE WHEN kept.is_alone THEN NULL ELSE m.client_id END,
    status = CASE WHEN kept.is_alone AND m.status = 'accepted' THEN 'cancelled' ELSE m.status END,
    cancelled_at = CASE WHEN kept.is_alone AND m.status = 'accepted' THEN ${at}::timestamptz ELSE m.cancelled_at END,
    wake_at = CASE WHEN kept.is_alone AND m.status = 'accepted' THEN ${at}::timestamptz
      WHEN kept.is_alone THEN NULL ELSE m.wake_at END,
    inbox_ends_at = CASE WHEN kept.is_alone AND m.inbox_ends_at IS NOT NULL THEN ${at}::timestamptz ELSE m.inbox_ends_at END
  FROM (
    SELECT id, array_remove(user_ids, ${userId}::text) = '{}' AS is_alone FROM messages WHERE app_id = ${appId} AND id = ANY (${ids}::uuid[])
  ) kept
  WHERE m.app_id = ${appId} AND m.id = ANY (${ids}::uuid[]) AND m.id = kept.id`;
}

/**
 * Finds the campaigns of these messages whose track id or name names the user.
 *
 * @param pattern finds the user in texts
 */
export function findNamingCampaignsStatement(appId: string, pattern: string, messageIds: readonly string[]): Sql {
  const [app, mention] = [parameter(appId), parameter(pattern)];
  return sql`
  SELECT sent.track_id AS "trackId" FROM (
    SELECT DISTINCT track_id FROM messages WHERE app_id = ${app} AND id = ANY (${messageIds}::uuid[]) AND track_id IS NOT NULL
  ) sent LEFT JOIN campaigns c ON c.app_id = ${app} AND c.track_id = sent.track_id
  WHERE sent.track_id ~ ${mention} OR c.name ~ ${mention}`;
}

/**
 * Removes the names of these campaigns, and gives them other track ids, if everything that they sent was for this user
 * alone and is emptied. Their counts stay together. The names of other campaigns belong to their senders and stay.
 */
export function eraseCampaignNamesStatement(app: string, trackIds: readonly string[]): Sql {
  const appId = parameter(app);
  return sql`
  WITH named AS MATERIALIZED (
    SELECT naming.track_id, 'erased-' || gen_random_uuid() AS anew FROM unnest(${trackIds}::text[]) AS naming (track_id)
    WHERE NOT EXISTS (SELECT FROM promo_sets p WHERE p.app_id = ${appId} AND p.track_id = naming.track_id)
      AND NOT EXISTS (
        SELECT FROM messages m WHERE m.app_id = ${appId} AND m.track_id = naming.track_id AND m.user_ids IS DISTINCT FROM '{}'
      )
  ), planned AS (
    UPDATE campaigns c SET track_id = named.anew, name = NULL FROM named
    WHERE c.app_id = ${appId} AND c.track_id = named.track_id
  )
  UPDATE messages m SET track_id = named.anew FROM named WHERE m.app_id = ${appId} AND m.track_id = named.track_id`;
}

/**
 * Replaces idempotency keys of an application by digests. A repeated request is still recognised and not carried out
 * again. Keys are kept for a day.
 *
 * @param which a condition on rows of `idempotency_keys`
 */
export function eraseKeysStatement(appId: string, which: Sql): Sql {
  return sql`UPDATE idempotency_keys SET key = ${erasedKeyOf({ app: sql`app_id`, key: sql`key` })}
    WHERE app_id = ${appId} AND key >= ' ' AND ${which}`;
}
