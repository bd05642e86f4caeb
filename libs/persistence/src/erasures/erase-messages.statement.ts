import { erasedKeyOf } from '../idempotency/erased-key';
import { parameter, sql, type Sql } from '../sql';

/** What a message holds when the only user that it was for is gone. */
const NO_CONTENT = JSON.stringify({ useAsAlert: false, silent: false, inApp: false, live: false, autoNotify: false });

/** Some messages of an application, and the user who is taken out of them. */
export interface MessagesOfErased {
  appId: string;
  userId: string;
  messageIds: readonly string[];
  now: Date;
}

/** An erased user's fallbacks are counted on under ids that no user has: they begin with a control character. */
export function eraseFallbacksStatement({ appId, userId, messageIds, now }: MessagesOfErased): Sql {
  return sql`
  UPDATE fallbacks SET user_id = chr(1) || gen_random_uuid(), fallback_id = gen_random_uuid(),
    state = CASE WHEN state = 'waiting' THEN 'cancelled' ELSE state END, wake_at = NULL, phone = NULL,
    provider_message_id = NULL, reason = NULL, ended_at = coalesce(ended_at, ${now}::timestamptz)
  WHERE app_id = ${appId} AND message_id = ANY (${messageIds}::uuid[]) AND user_id = ${userId}`;
}

/** The sweeper ends what is left of a message that is cancelled: pages, and what waits for connections. */
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
 * Gives campaigns that hold the user's name in their track id or name another track id and no name, if all they sent was for this
 * user alone and is emptied. What they counted stays together. The name of any other campaign is its sender's and stays.
 *
 * @param pattern finds the user in texts
 * @param emptied messages that were emptied in this transaction
 */
export function eraseCampaignNamesStatement(app: string, pattern: string, emptied: readonly string[]): Sql {
  const [appId, messageIds, mention] = [parameter(app), parameter(emptied), parameter(pattern)];
  return sql`
  WITH named AS MATERIALIZED (
    SELECT sent.track_id, 'erased-' || gen_random_uuid() AS anew FROM (
      SELECT DISTINCT track_id FROM messages WHERE app_id = ${appId} AND id = ANY (${messageIds}::uuid[]) AND track_id IS NOT NULL
    ) sent LEFT JOIN campaigns c ON c.app_id = ${appId} AND c.track_id = sent.track_id
    WHERE (sent.track_id ~ ${mention} OR c.name ~ ${mention})
      AND NOT EXISTS (SELECT FROM promo_sets p WHERE p.app_id = ${appId} AND p.track_id = sent.track_id)
      AND NOT EXISTS (
        SELECT FROM messages m WHERE m.app_id = ${appId} AND m.track_id = sent.track_id AND m.user_ids IS DISTINCT FROM '{}'
      )
  ), planned AS (
    UPDATE campaigns c SET track_id = named.anew, name = NULL FROM named
    WHERE c.app_id = ${appId} AND c.track_id = named.track_id
  )
  UPDATE messages m SET track_id = named.anew FROM named WHERE m.app_id = ${appId} AND m.track_id = named.track_id`;
}

/**
 * Replaces idempotency keys of an application by digests: a request that is repeated is still recognized and not carried out
 * again. Keys are kept for a day.
 *
 * @param which a condition on rows of `idempotency_keys`
 */
export function eraseKeysStatement(appId: string, which: Sql): Sql {
  return sql`UPDATE idempotency_keys SET key = ${erasedKeyOf({ app: sql`app_id`, key: sql`key` })}
    WHERE app_id = ${appId} AND key >= ' ' AND ${which}`;
}
