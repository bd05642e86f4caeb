import type { Executor } from '../database/executor';
import { preparedRows } from '../database/prepared-rows';
import type { WaitingMessage } from './inbox-row';

/**
 * The inboxes of devices, all in one statement: of each the first `limit` deliveries that wait for its connection, whether
 * or not a vendor has them too. Messages that expired or were cancelled are left to the caller: it reads them anyway.
 */
export async function readInboxes(
  executor: Executor,
  devices: readonly { appId: string; deviceId: string }[],
  limit: number,
): Promise<WaitingMessage[]> {
  return preparedRows<WaitingMessage>(executor, READ_INBOXES, [
    devices.map(({ appId }) => appId),
    devices.map(({ deviceId }) => deviceId),
    limit,
  ]);
}

/** Each inbox is read by its index, oldest day first, until there is enough. */
const READ_INBOXES = `
  SELECT asked.app_id AS "appId", inbox.message_id AS "messageId", array_agg(asked.id::text) AS "deviceIds",
    array_agg(inbox.is_kept) AS "keptOnes"
  FROM unnest($1::text[], $2::bigint[]) AS asked (app_id, id)
  CROSS JOIN LATERAL (
    SELECT * FROM (
      (SELECT d.message_id, false AS is_kept FROM deliveries d
        WHERE d.app_id = asked.app_id AND d.device_id = asked.id AND d.state = 'pending' AND d.vendor = 'connection'
        ORDER BY d.message_id LIMIT $3)
      UNION ALL
      (SELECT d.message_id, true FROM deliveries d
        WHERE d.app_id = asked.app_id AND d.device_id = asked.id AND d.in_inbox
        ORDER BY d.message_id LIMIT $3)
    ) both_kinds ORDER BY message_id LIMIT $3
  ) inbox
  GROUP BY asked.app_id, inbox.message_id ORDER BY inbox.message_id`;
