import { type Executor, rows } from '../database/executor';
import { sql } from '../sql';
import { recordDoneMessages } from '../webhooks/record-done-messages';
import type { MessageKey } from './message-key';

/**
 * Marks as done those of `messages` whose audience is resolved and whose pages are all finished, those aside that an edge
 * holds for connected devices. To be called after the commit that finished a page, or two that finish at the same moment
 * would each see the other's as open. Webhooks that ask for it hear of each.
 */
export async function completeMessages(executor: Executor, messages: readonly MessageKey[], now: Date): Promise<void> {
  const appIds = messages.map(({ appId }) => appId);
  const messageIds = messages.map(({ messageId }) => messageId);
  // The scalar subquery looks for one open page by key, message by message; an anti-join might read them all.
  await rows(
    executor,
    sql`WITH done AS (
        UPDATE messages m
        SET status = 'done', done_at = ${now}, wake_at = NULL
        FROM unnest(${appIds}::text[], ${messageIds}::uuid[]) AS worked (app_id, id)
        WHERE m.app_id = worked.app_id AND m.id = worked.id AND m.status = 'accepted' AND m.resolved_at IS NOT NULL
          AND (
            SELECT p.id FROM pages p
            WHERE p.app_id = worked.app_id AND p.message_id = worked.id AND p.state <> 'finished'
              AND p.edge_id IS NULL
            LIMIT 1
          ) IS NULL
        RETURNING m.app_id, m.id, m.kind, m.track_id, m.client_id, m.batch_id, m.count, m.accepted_at, m.done_at, m.status
      )
      ${recordDoneMessages({ messages: sql`done`, states: RECORDED })}`,
  );
}

/** When all pages are finished, every device has a record, but for those whose connection has the message in hand. */
const RECORDED = sql`SELECT d.state FROM deliveries d WHERE d.app_id = done.app_id AND d.message_id = done.id
  UNION ALL
  SELECT 'pending' FROM pages p CROSS JOIN LATERAL unnest(p.device_ids) AS device (id)
  WHERE p.app_id = done.app_id AND p.message_id = done.id AND p.edge_id IS NOT NULL AND NOT EXISTS (
    SELECT FROM deliveries d WHERE d.app_id = done.app_id AND d.message_id = done.id AND d.device_id = device.id
  )`;
