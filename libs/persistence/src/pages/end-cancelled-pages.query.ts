import { deliveryStateRank } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';
import type { MessageKey } from './find-cancelled-messages.query';

/**
 * Ends pages that wait, at most `limit`, of those of `messages` that were cancelled: every device without an outcome gets
 * its delivery row. Pages that a worker has in hand are ended by it.
 *
 * @returns how many pages were ended
 */
export async function endCancelledPages(
  executor: Executor,
  messages: readonly MessageKey[],
  now: Date,
  limit: number,
): Promise<number> {
  const [ended] = await rows<{ pages: number }>(executor, END_CANCELLED_PAGES, [
    messages.map(({ appId }) => appId),
    messages.map(({ messageId }) => messageId),
    now,
    limit,
  ]);
  return ended?.pages ?? 0;
}

/** `leased_by` goes, so that a former owner of the page writes nothing any more. */
const END_CANCELLED_PAGES = `
  WITH open AS MATERIALIZED (
    SELECT p.app_id, p.message_id, p.id
    FROM unnest($1::text[], $2::uuid[]) AS due (app_id, id)
    JOIN messages m ON m.app_id = due.app_id AND m.id = due.id AND m.status = 'cancelled'
    JOIN pages p ON p.app_id = due.app_id AND p.message_id = due.id AND p.state <> 'finished'
    WHERE p.state = 'waiting'
    LIMIT $4 FOR NO KEY UPDATE OF p SKIP LOCKED
  ), ended AS (
    UPDATE pages p SET state = 'finished', wake_at = NULL, leased_by = NULL, finished_at = $3
    FROM open WHERE p.app_id = open.app_id AND p.message_id = open.message_id AND p.id = open.id
    RETURNING p.app_id, p.message_id, p.vendor, p.attempt, p.device_ids
  ), recorded AS (
    INSERT INTO deliveries AS d (app_id, message_id, device_id, state, rank, vendor, reason, attempt, created_at, updated_at)
    SELECT ended.app_id, ended.message_id, device.id, 'cancelled', ${deliveryStateRank('cancelled')}, ended.vendor,
      'The message was cancelled before it was sent to this device', ended.attempt - 1, $3, $3
    FROM ended CROSS JOIN LATERAL unnest(ended.device_ids) AS device (id)
    ON CONFLICT (app_id, message_id, device_id) DO UPDATE
    SET state = excluded.state, rank = excluded.rank, vendor = excluded.vendor, reason = excluded.reason,
      updated_at = excluded.updated_at
    WHERE excluded.rank > d.rank
  )
  SELECT count(*)::integer AS pages FROM ended`;
