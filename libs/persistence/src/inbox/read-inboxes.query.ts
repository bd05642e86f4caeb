import type { Executor } from '../database/executor';
import { preparedRows } from '../database/prepared-rows';
import type { WaitingMessage } from './inbox-row';

/** The beginning of inboxes. */
export interface ReadInboxes {
  waiting: WaitingMessage[];
  /** Devices that may have more: after this message they were not read. */
  cuts: { appId: string; deviceId: string; lastId: string }[];
}

/**
 * The inboxes of devices from a message on, all in one statement: of each the first `limit` deliveries or somewhat fewer, those
 * that wait for its connection, whether or not a vendor has them too, and what stands for it on pages of any edge. Messages that
 * expired or were cancelled are left to the caller: it reads them anyway.
 */
export async function readInboxes(
  executor: Executor,
  devices: readonly { appId: string; deviceId: string; fromId: string }[],
  limit: number,
): Promise<ReadInboxes> {
  const fromIds = devices.map(({ fromId }) => fromId);
  const read = await preparedRows<WaitingMessage & { isCut: boolean }>(executor, READ_INBOXES, [
    devices.map(({ appId }) => appId),
    devices.map(({ deviceId }) => deviceId),
    fromIds,
    limit,
    fromIds.reduce((least, id) => (id < least ? id : least), fromIds[0] ?? ''),
  ]);
  return {
    waiting: read.flatMap(({ isCut, ...waiting }) => (isCut ? [] : [waiting])),
    cuts: read.flatMap(({ isCut, appId, messageId, deviceIds }) =>
      isCut ? (deviceIds ?? []).map((deviceId) => ({ appId, deviceId, lastId: messageId })) : [],
    ),
  };
}

/**
 * Each inbox is read by its index, oldest day first, until there is enough; pages are all gone through, once, and of each
 * device the first are taken, so that a long inbox costs each of its reads the same. Where either kind was not read to its end,
 * what comes after its last is left for the next read: the order is kept.
 */
const READ_INBOXES = `
  WITH asked AS MATERIALIZED (
    SELECT * FROM unnest($1::text[], $2::bigint[], $3::uuid[]) AS a (app_id, id, from_id)
  ), held AS MATERIALIZED (
    SELECT app_id, message_id, id, device_ids FROM pages WHERE edge_id IS NOT NULL AND message_id >= $5::uuid
  ), on_pages AS (
    SELECT p.app_id, asked.id, p.message_id, p.page_id, false AS is_kept,
      row_number() OVER (PARTITION BY p.app_id, asked.id ORDER BY p.message_id, p.page_id) AS place
    FROM (SELECT app_id, message_id, id AS page_id, unnest(device_ids) AS device_id FROM held) p
    JOIN asked ON asked.app_id = p.app_id AND asked.id = p.device_id AND p.message_id >= asked.from_id
  ), inbox AS MATERIALIZED (
    SELECT asked.app_id, asked.id, waiting.message_id, NULL::uuid AS page_id, waiting.is_kept,
      row_number() OVER (PARTITION BY asked.app_id, asked.id ORDER BY waiting.message_id) AS place
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
    SELECT * FROM on_pages WHERE place <= $4
  ), cuts AS MATERIALIZED (
    SELECT app_id, id, min(message_id::text)::uuid AS last_id FROM inbox WHERE place = $4 GROUP BY app_id, id
  ), taken AS (
    SELECT inbox.* FROM inbox LEFT JOIN cuts USING (app_id, id)
    WHERE (cuts.last_id IS NULL OR inbox.message_id <= cuts.last_id)
      AND (inbox.page_id IS NULL OR (
        SELECT d.rank FROM deliveries d
        WHERE d.app_id = inbox.app_id AND d.message_id = inbox.message_id AND d.device_id = inbox.id
      ) IS NULL)
  )
  SELECT app_id AS "appId", message_id AS "messageId", page_id AS "pageId", json_agg(id::text) AS "deviceIds",
    json_agg(is_kept) AS "keptOnes", false AS "isCut"
  FROM taken GROUP BY app_id, message_id, page_id
  UNION ALL
  SELECT app_id, last_id, NULL, json_agg(id::text), NULL, true FROM cuts GROUP BY app_id, last_id
  ORDER BY "messageId"`;
