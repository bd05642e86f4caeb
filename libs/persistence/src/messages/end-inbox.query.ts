import { deliveryStateRank } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';
import type { EndingInbox } from './find-ending-inboxes.query';

/**
 * Ends deliveries of one message that still wait for a connection, at most `limit`, and those on the pages that edges hold.
 * When none is left, the message is not looked at again.
 *
 * @returns how many were ended, without those on pages
 */
export async function endInbox(executor: Executor, inbox: EndingInbox, now: Date, limit: number): Promise<number> {
  const { appId, messageId, state } = inbox;
  const [ended] = await rows<{ deliveries: number }>(executor, END_INBOX, [
    appId,
    messageId,
    state,
    deliveryStateRank(state),
    now,
    limit,
  ]);
  return ended?.deliveries ?? 0;
}

const END_INBOX = `
  WITH waiting AS MATERIALIZED (
    SELECT device_id FROM deliveries
    WHERE app_id = $1 AND message_id = $2 AND state = 'pending' AND vendor = 'connection'
    ORDER BY device_id LIMIT $6 FOR NO KEY UPDATE
  ), ended AS (
    UPDATE deliveries d SET state = $3, rank = $4, reason = NULL, updated_at = $5
    FROM waiting
    WHERE d.app_id = $1 AND d.message_id = $2 AND d.device_id = waiting.device_id AND d.rank < $4
  ), held AS MATERIALIZED (
    SELECT id, created_at, device_ids FROM pages
    WHERE app_id = $1 AND message_id = $2 AND edge_id IS NOT NULL ORDER BY id FOR NO KEY UPDATE
  ), taken AS (
    INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor, created_at, updated_at)
    SELECT $1, $2, device.id, $3, $4, 'connection', held.created_at, $5
    FROM held CROSS JOIN LATERAL unnest(held.device_ids) AS device (id)
    ON CONFLICT (app_id, message_id, device_id) DO NOTHING
  ), gone AS (
    DELETE FROM pages p USING held
    WHERE p.app_id = $1 AND p.message_id = $2 AND p.edge_id IS NOT NULL AND p.id = held.id
  ), closed AS (
    UPDATE messages SET inbox_ends_at = NULL
    WHERE app_id = $1 AND id = $2 AND (SELECT count(*) FROM waiting) < $6
  )
  SELECT count(*)::integer AS deliveries FROM waiting`;
