import { type Executor, rows } from '../database/executor';
import { erasedKeyOf } from '../idempotency/erased-key';

const ERASE_KEYS = `UPDATE idempotency_keys SET key = ${erasedKeyOf('app_id', 'key')} WHERE app_id = $1 AND key >= ' '`;

/**
 * Replaces the idempotency keys that hold a user's id or phone number by digests: a request that is repeated is still recognized
 * and not carried out again. Keys are kept for a day.
 *
 * @param pattern finds the user in texts
 */
export async function eraseIdempotencyKeys(executor: Executor, appId: string, pattern: string): Promise<void> {
  await rows(executor, `${ERASE_KEYS} AND key ~ $2`, [appId, pattern]);
}

/**
 * As `eraseIdempotencyKeys`, the keys of the requests that these messages came with.
 *
 * @param messages with the times at which they were accepted, by which their keys are found
 */
export async function eraseKeysOfMessages(
  executor: Executor,
  appId: string,
  messages: readonly { id: string; acceptedAt: Date }[],
): Promise<void> {
  if (messages.length === 0) return;
  await rows(
    executor,
    `${ERASE_KEYS} AND created_at = ANY ($2::timestamptz[]) AND answer -> 'messageIds' ?| $3::text[]`,
    [appId, messages.map(({ acceptedAt }) => acceptedAt), messages.map(({ id }) => id)],
  );
}

/**
 * Gives campaigns that hold the user's name in their track id or name another track id and no name, if all they sent was for this
 * user alone and is emptied. What they counted stays together. The name of any other campaign is its sender's and stays.
 *
 * @param messageIds messages that were emptied in this transaction
 */
export async function eraseCampaignNames(
  executor: Executor,
  appId: string,
  pattern: string,
  messageIds: readonly string[],
): Promise<void> {
  if (messageIds.length === 0) return;
  await rows(
    executor,
    `WITH named AS MATERIALIZED (
       SELECT sent.track_id, 'erased-' || gen_random_uuid() AS anew FROM (
         SELECT DISTINCT track_id FROM messages WHERE app_id = $1 AND id = ANY ($2::uuid[]) AND track_id IS NOT NULL
       ) sent LEFT JOIN campaigns c ON c.app_id = $1 AND c.track_id = sent.track_id
       WHERE (sent.track_id ~ $3 OR c.name ~ $3)
         AND NOT EXISTS (SELECT FROM promo_sets p WHERE p.app_id = $1 AND p.track_id = sent.track_id)
         AND NOT EXISTS (
           SELECT FROM messages m WHERE m.app_id = $1 AND m.track_id = sent.track_id AND m.user_ids IS DISTINCT FROM '{}'
         )
     ), planned AS (
       UPDATE campaigns c SET track_id = named.anew, name = NULL FROM named
       WHERE c.app_id = $1 AND c.track_id = named.track_id
     )
     UPDATE messages m SET track_id = named.anew FROM named WHERE m.app_id = $1 AND m.track_id = named.track_id`,
    [appId, messageIds, pattern],
  );
}
