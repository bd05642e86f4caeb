import { deliveryStateRank } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';
import type { MessageKey, PageKey } from '../messages/message-key';
import { isPacked } from '../packs/packed-deliveries';
import { parameter, sql, type Sql } from '../sql';

/**
 * Ends waiting pages of those of `messages` that were cancelled, at most `limit`, in a transaction. The pages are
 * locked first, so that the outcomes that a former owner has recorded are visible.
 *
 * @returns the number of ended pages
 */
export async function endCancelledPages(
  executor: Executor,
  messages: readonly MessageKey[],
  at: Date,
  limit: number,
): Promise<number> {
  const appIds = messages.map(({ appId }) => appId);
  const messageIds = messages.map(({ messageId }) => messageId);
  const open = await rows<PageKey>(
    executor,
    sql`SELECT p.app_id AS "appId", p.message_id AS "messageId", p.id AS "pageId"
        FROM unnest(${appIds}::text[], ${messageIds}::uuid[]) AS due (app_id, id)
        JOIN messages m ON m.app_id = due.app_id AND m.id = due.id AND m.status = 'cancelled'
        JOIN pages p ON p.app_id = due.app_id AND p.message_id = due.id AND p.state <> 'finished'
        WHERE p.state = 'waiting'
        LIMIT ${limit} FOR NO KEY UPDATE OF p SKIP LOCKED`,
  );
  if (open.length > 0) await rows(executor, endStatement(open, at));
  return open.length;
}

function endStatement(open: readonly PageKey[], at: Date): Sql {
  const now = parameter(at, 'timestamptz');
  const appIds = open.map(({ appId }) => appId);
  const messageIds = open.map(({ messageId }) => messageId);
  const delivery = { app: sql`ended.app_id`, message: sql`ended.message_id`, device: sql`device.id` };
  return sql`
  WITH ended AS (
    UPDATE pages p SET state = 'finished', wake_at = NULL, leased_by = NULL, finished_at = ${now}
    FROM unnest(${appIds}::text[], ${messageIds}::uuid[], ${open.map(({ pageId }) => pageId)}::uuid[]) AS open (app_id, message_id, id)
    WHERE p.app_id = open.app_id AND p.message_id = open.message_id AND p.id = open.id
    RETURNING p.app_id, p.message_id, p.vendor, p.attempt, p.fence, p.device_ids
  )
  INSERT INTO deliveries AS d (app_id, message_id, device_id, state, rank, vendor, reason, attempt, created_at, updated_at)
  SELECT ended.app_id, ended.message_id, device.id, 'cancelled', ${deliveryStateRank('cancelled')}::smallint, ended.vendor,
    'The message was cancelled before it was sent to this device', ended.attempt - 1, ${now}, ${now}
  FROM ended CROSS JOIN LATERAL unnest(ended.device_ids) AS device (id)
  WHERE ended.fence = 0 OR NOT ${isPacked(delivery)}
  ON CONFLICT (app_id, message_id, device_id) DO UPDATE
  SET state = excluded.state, rank = excluded.rank, vendor = excluded.vendor, reason = excluded.reason,
    updated_at = excluded.updated_at
  WHERE excluded.rank > d.rank`;
}
