import { type Executor, rows } from '../database/executor';
import { eraseWhatHangsOn, unnameDeliveriesOfMessages } from './erase-deliveries.query';
import { eraseCampaignNames, eraseKeysOfMessages } from './erase-callers-texts.query';
import { ANY_TEXT, eraseNames } from './erased-names.query';

/** What a message holds when the only user that it was for is gone. */
const NO_CONTENT = JSON.stringify({ useAsAlert: false, silent: false, inApp: false, live: false, autoNotify: false });

/** An erased user's fallbacks are counted on under ids that no user has. */
export const ERASED_USERS_PREFIX = `chr(1)`;

/**
 * Takes a user out of up to `limit` messages that name them, in the transaction of `executor`: their fallbacks are numbers among
 * others. One that names nobody else loses its content, ids and links too, and is sent to nobody any more. What it counted stays.
 *
 * @param pattern finds the user in names of links and actions
 * @returns how many named them, and the deliveries that were taken from devices
 */
export async function eraseFromMessages(
  executor: Executor,
  appId: string,
  user: { userId: string; pattern: string },
  { now, limit }: { now: Date; limit: number },
): Promise<{ messages: number; deliveries: number }> {
  const named = await rows<{ id: string; acceptedAt: Date; isAlone: boolean }>(
    executor,
    `SELECT id, accepted_at AS "acceptedAt", array_remove(user_ids, $2::text) = '{}' AS "isAlone" FROM messages
     WHERE app_id = $1 AND user_ids @> ARRAY[$2::text] ORDER BY id LIMIT $3 FOR NO KEY UPDATE`,
    [appId, user.userId, limit],
  );
  if (named.length === 0) return { messages: 0, deliveries: 0 };
  const ids = named.map(({ id }) => id);
  const emptied = named.filter(({ isAlone }) => isAlone);
  const alone = emptied.map(({ id }) => id);
  await eraseNames(executor, appId, user, ids);
  await eraseNames(executor, appId, { ...user, pattern: ANY_TEXT }, alone);
  const unnamed = await unnameDeliveriesOfMessages(executor, appId, alone);
  await eraseWhatHangsOn(executor, appId, unnamed);
  await rows(executor, ERASE_FALLBACKS, [appId, ids, user.userId, now]);
  await rows(executor, EMPTY_MESSAGES, [appId, ids, user.userId, NO_CONTENT, now]);
  await eraseKeysOfMessages(executor, appId, emptied);
  await eraseCampaignNames(executor, appId, user.pattern, alone);
  return { messages: named.length, deliveries: unnamed.deviceIds.length };
}

const ERASE_FALLBACKS = `
  UPDATE fallbacks SET user_id = ${ERASED_USERS_PREFIX} || gen_random_uuid(), fallback_id = gen_random_uuid(),
    state = CASE WHEN state = 'waiting' THEN 'cancelled' ELSE state END, wake_at = NULL, phone = NULL,
    provider_message_id = NULL, reason = NULL, ended_at = coalesce(ended_at, $4::timestamptz)
  WHERE app_id = $1 AND message_id = ANY ($2::uuid[]) AND user_id = $3`;

/** The sweeper ends what is left of a message that is cancelled: pages, and what waits for connections. */
const EMPTY_MESSAGES = `
  UPDATE messages m SET user_ids = array_remove(m.user_ids, $3::text),
    content = CASE WHEN kept.is_alone THEN $4::jsonb ELSE m.content END,
    client_id = CASE WHEN kept.is_alone THEN NULL ELSE m.client_id END,
    status = CASE WHEN kept.is_alone AND m.status = 'accepted' THEN 'cancelled' ELSE m.status END,
    cancelled_at = CASE WHEN kept.is_alone AND m.status = 'accepted' THEN $5::timestamptz ELSE m.cancelled_at END,
    wake_at = CASE WHEN kept.is_alone AND m.status = 'accepted' THEN $5::timestamptz
      WHEN kept.is_alone THEN NULL ELSE m.wake_at END,
    inbox_ends_at = CASE WHEN kept.is_alone AND m.inbox_ends_at IS NOT NULL THEN $5::timestamptz ELSE m.inbox_ends_at END
  FROM (
    SELECT id, array_remove(user_ids, $3::text) = '{}' AS is_alone FROM messages WHERE app_id = $1 AND id = ANY ($2::uuid[])
  ) kept
  WHERE m.app_id = $1 AND m.id = ANY ($2::uuid[]) AND m.id = kept.id`;
