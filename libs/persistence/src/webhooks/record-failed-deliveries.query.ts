import { type Executor, rows } from '../database/executor';
import type { PageKey } from '../pages/claim-page.query';

/**
 * The ids of the devices on a page, locked until the transaction ends: what `recordFailedDeliveries` looks among. To be asked
 * before the page is settled.
 */
export async function lockPageDevices(executor: Executor, { appId, messageId, pageId }: PageKey): Promise<number[]> {
  const [page] = await rows<{ ids: number[] }>(
    executor,
    `SELECT to_json(device_ids) AS ids FROM pages WHERE app_id = $1 AND message_id = $2 AND id = $3 FOR NO KEY UPDATE`,
    [appId, messageId, pageId],
  );
  return page?.ids ?? [];
}

/**
 * Tells webhooks that ask for it which of `deviceIds` a message failed to reach: one event for all of them, or none. In the
 * transaction that settles their page, each device is told of once.
 */
export async function recordFailedDeliveries(
  executor: Executor,
  { appId, messageId }: PageKey,
  deviceIds: readonly number[],
): Promise<void> {
  if (deviceIds.length === 0) return;
  await rows(
    executor,
    `WITH failed AS (
       SELECT json_build_object('messageId', $2::uuid, 'trackId', max(m.track_id), 'count', count(*),
         'deliveries', json_agg(json_build_object('installationId', i.installation_id, 'userId', i.user_id,
           'vendor', d.vendor, 'errorCode', d.error_code, 'reason', d.reason, 'attempt', d.attempt,
           'failedAt', d.updated_at))) AS data
       FROM unnest($3::bigint[]) AS page (id)
       CROSS JOIN LATERAL (
         SELECT * FROM deliveries WHERE app_id = $1 AND message_id = $2 AND device_id = page.id AND state = 'failed' LIMIT 1
       ) d
       LEFT JOIN LATERAL (SELECT * FROM installations WHERE app_id = $1 AND id = page.id LIMIT 1) i ON true
       CROSS JOIN (SELECT track_id FROM messages WHERE app_id = $1 AND id = $2) m
       HAVING count(*) > 0
     )
     INSERT INTO webhook_events (app_id, webhook_id, type, data)
     SELECT w.app_id, w.webhook_id, 'delivery.failed', failed.data
     FROM failed JOIN webhooks w ON w.app_id = $1 AND w.is_enabled AND 'delivery.failed' = ANY (w.events)`,
    [appId, messageId, deviceIds],
  );
}
