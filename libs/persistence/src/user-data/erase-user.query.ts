import { type Executor, rows } from '../database/executor';
import { MESSAGES_OF_USER, type MessageStretch } from './read-user-messages.query';

/** The devices of a user, as the ledger knows them: at most `limit` of their numbers. */
export async function findDevicesToErase(
  executor: Executor,
  appId: string,
  userId: string,
  limit: number,
): Promise<string[]> {
  const found = await rows<{ id: string }>(
    executor,
    `SELECT id FROM installations WHERE app_id = $1 AND user_id = $2 ORDER BY id LIMIT $3`,
    [appId, userId, limit],
  );
  return found.map(({ id }) => id);
}

/**
 * Removes the deliveries that one stretch of messages has for these devices. Has to run in a transaction: it keeps
 * PostgreSQL to the primary key of the deliveries, of which there may be very many.
 *
 * @returns how many went, and the id behind which the next stretch begins; null: this was the last one
 */
export async function eraseDeliveries(
  executor: Executor,
  appId: string,
  user: { userId: string; deviceIds: readonly string[] },
  { which, afterId, limit }: MessageStretch,
): Promise<{ deliveries: number; through: string | null }> {
  await executor.query(
    `SELECT set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`,
  );
  const erased = await rows<{ deliveries: number; through: string | null }>(
    executor,
    `WITH stretch AS MATERIALIZED (
       SELECT m.id FROM messages m
       WHERE m.app_id = $1 AND m.id > $3::uuid AND ${MESSAGES_OF_USER[which]}
       ORDER BY m.id LIMIT $4
     ), gone AS (
       DELETE FROM deliveries d USING stretch
       WHERE d.app_id = $1 AND d.message_id = stretch.id AND d.device_id = ANY ($5::bigint[])
       RETURNING 1
     ), clicks AS (
       DELETE FROM delivery_clicks c USING stretch
       WHERE c.app_id = $1 AND c.message_id = stretch.id AND c.device_id = ANY ($5::bigint[])
     ), bought AS (
       DELETE FROM conversions c USING stretch
       WHERE c.app_id = $1 AND c.message_id = stretch.id AND c.device_id = ANY ($5::bigint[])
     )
     SELECT (SELECT count(*)::int FROM gone) AS deliveries,
       (SELECT CASE WHEN count(*) = $4 THEN (array_agg(id ORDER BY id DESC))[1] END FROM stretch) AS through`,
    [appId, user.userId, afterId, limit, user.deviceIds],
  );
  return erased[0] ?? { deliveries: 0, through: null };
}

/** Removes installations of a user, with their connections. @returns how many went */
export async function eraseDevices(
  executor: Executor,
  appId: string,
  userId: string,
  deviceIds: readonly string[],
): Promise<number> {
  const gone = await rows(
    executor,
    `WITH held AS MATERIALIZED (
       SELECT id FROM installations WHERE app_id = $1 AND user_id = $2 AND id = ANY ($3::bigint[]) ORDER BY id FOR UPDATE
     ), gone AS (
       DELETE FROM installations WHERE app_id = $1 AND id = ANY (ARRAY(SELECT id FROM held)) RETURNING id
     ), offline AS (
       DELETE FROM presence p USING gone WHERE p.app_id = $1 AND p.id = gone.id
     ), marks AS (
       DELETE FROM inbox_marks m USING gone WHERE m.app_id = $1 AND m.device_id = gone.id
     ), handovers AS (
       DELETE FROM deferred_handovers h USING gone WHERE h.app_id = $1 AND h.device_id = gone.id
     )
     SELECT id FROM gone`,
    [appId, userId, deviceIds],
  );
  return gone.length;
}

/** What a message holds when the only user that it was for is gone. */
const NO_CONTENT = JSON.stringify({ useAsAlert: false, silent: false, inApp: false, live: false, autoNotify: false });

/**
 * Takes a user out of up to `limit` messages that name him, with his fallbacks. One that names nobody else loses its content, ids and
 * deliveries too, and is sent to nobody any more.
 *
 * @returns how many named him, and the deliveries that went
 */
export async function eraseFromMessages(
  executor: Executor,
  appId: string,
  userId: string,
  { now, limit }: { now: Date; limit: number },
): Promise<{ messages: number; deliveries: number }> {
  const erased = await rows<{ messages: number; deliveries: number }>(
    executor,
    `WITH named AS MATERIALIZED (
       SELECT m.id, array_remove(m.user_ids, $2::text) AS others FROM messages m
       WHERE m.app_id = $1 AND m.user_ids @> ARRAY[$2::text] ORDER BY m.id LIMIT $3
       FOR NO KEY UPDATE
     ), gone AS (
       DELETE FROM deliveries d USING named
       WHERE d.app_id = $1 AND d.message_id = named.id AND named.others = '{}' RETURNING 1
     ), clicks AS (
       DELETE FROM delivery_clicks c USING named
       WHERE c.app_id = $1 AND c.message_id = named.id AND named.others = '{}'
     ), bought AS (
       DELETE FROM conversions c USING named WHERE c.app_id = $1 AND c.message_id = named.id AND named.others = '{}'
     ), uncalled AS (
       DELETE FROM fallbacks f USING named WHERE f.app_id = $1 AND f.message_id = named.id AND f.user_id = $2
     ), erased AS (
       UPDATE messages m SET user_ids = named.others,
         content = CASE WHEN named.others = '{}' THEN $4::jsonb ELSE m.content END,
         client_id = CASE WHEN named.others = '{}' THEN NULL ELSE m.client_id END,
         status = CASE WHEN named.others = '{}' AND m.status = 'accepted' THEN 'cancelled' ELSE m.status END,
         cancelled_at = CASE WHEN named.others = '{}' AND m.status = 'accepted' THEN $5::timestamptz ELSE m.cancelled_at END,
         wake_at = CASE WHEN named.others = '{}' THEN NULL ELSE m.wake_at END
       FROM named WHERE m.app_id = $1 AND m.id = named.id
     )
     SELECT (SELECT count(*)::int FROM named) AS messages, (SELECT count(*)::int FROM gone) AS deliveries`,
    [appId, userId, limit, NO_CONTENT, now],
  );
  return erased[0] ?? { messages: 0, deliveries: 0 };
}

/** Holds a user until the transaction ends: meanwhile nobody registers a device of his. */
export async function holdUser(executor: Executor, appId: string, userId: string): Promise<void> {
  await rows(executor, `SELECT 1 FROM users WHERE app_id = $1 AND user_id = $2 FOR UPDATE`, [appId, userId]);
}

/** Forgets a user himself and the links that he opened. @returns whether he was known, and how many links went */
export async function eraseUserRow(
  executor: Executor,
  appId: string,
  userId: string,
): Promise<{ users: number; links: number }> {
  const erased = await rows<{ users: number; links: number }>(
    executor,
    `WITH links AS (DELETE FROM link_opens WHERE app_id = $1 AND user_id = $2 RETURNING 1),
     codes AS (DELETE FROM promo_assignments WHERE app_id = $1 AND user_id = $2),
     former AS (DELETE FROM former_owners WHERE app_id = $1 AND user_id = $2),
     told AS (DELETE FROM hand_overs WHERE app_id = $1 AND user_id = $2),
     owner AS (DELETE FROM users WHERE app_id = $1 AND user_id = $2 RETURNING 1)
     SELECT (SELECT count(*)::int FROM owner) AS users, (SELECT count(*)::int FROM links) AS links`,
    [appId, userId],
  );
  return erased[0] ?? { users: 0, links: 0 };
}
