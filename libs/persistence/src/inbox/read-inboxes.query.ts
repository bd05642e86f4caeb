import type { Executor } from '../database/executor';
import { preparedRows } from '../database/prepared-rows';
import type { WaitingMessage } from './inbox-row';

/**
 * The inboxes of devices from a message on, all in one statement: of each the first `limit` deliveries that wait for its
 * connection, whether or not a vendor has them too, and what stands for it on pages of any edge. Messages that expired or were cancelled are left
 * to the caller: it reads them anyway.
 */
export async function readInboxes(
  executor: Executor,
  devices: readonly { appId: string; deviceId: string; fromId: string }[],
  limit: number,
): Promise<WaitingMessage[]> {
  return preparedRows<WaitingMessage>(executor, READ_INBOXES, [
    devices.map(({ appId }) => appId),
    devices.map(({ deviceId }) => deviceId),
    devices.map(({ fromId }) => fromId),
    limit,
  ]);
}

/** Each inbox is read by its index, oldest day first, until there is enough; pages are all gone through, once. */
const READ_INBOXES = `
  WITH asked AS MATERIALIZED (
    SELECT * FROM unnest($1::text[], $2::bigint[], $3::uuid[]) AS a (app_id, id, from_id)
  ), held AS MATERIALIZED (
    SELECT app_id, message_id, id, device_ids FROM pages WHERE edge_id IS NOT NULL
  ), on_pages AS MATERIALIZED (
    SELECT p.app_id, p.message_id, p.page_id, asked.id
    FROM (SELECT app_id, message_id, id AS page_id, unnest(device_ids) AS device_id FROM held) p
    JOIN asked ON asked.app_id = p.app_id AND asked.id = p.device_id AND p.message_id >= asked.from_id
  ), inbox AS (
    SELECT asked.app_id, asked.id, waiting.message_id, NULL::uuid AS page_id, waiting.is_kept
    FROM asked CROSS JOIN LATERAL (
      SELECT * FROM (
        (SELECT d.message_id, false AS is_kept FROM deliveries d
          WHERE d.app_id = asked.app_id AND d.device_id = asked.id AND d.state = 'pending' AND d.vendor = 'connection'
            AND d.message_id >= asked.from_id
          ORDER BY d.message_id LIMIT $4)
        UNION ALL
        (SELECT d.message_id, true FROM deliveries d
          WHERE d.app_id = asked.app_id AND d.device_id = asked.id AND d.in_inbox
            AND d.message_id >= asked.from_id
          ORDER BY d.message_id LIMIT $4)
      ) both_kinds ORDER BY message_id LIMIT $4
    ) waiting
    UNION ALL
    SELECT p.app_id, p.id, p.message_id, p.page_id, false FROM on_pages p
    WHERE (
      SELECT d.rank FROM deliveries d
      WHERE d.app_id = p.app_id AND d.message_id = p.message_id AND d.device_id = p.id
    ) IS NULL
  )
  SELECT app_id AS "appId", message_id AS "messageId", page_id AS "pageId", json_agg(id::text) AS "deviceIds",
    json_agg(is_kept) AS "keptOnes"
  FROM inbox GROUP BY app_id, message_id, page_id ORDER BY message_id`;
