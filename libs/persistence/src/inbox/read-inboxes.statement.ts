import { parameter, sql, type Sql } from '../sql';

/** A device, and the message from which on its inbox is read. */
export interface InboxToRead {
  appId: string;
  deviceId: string;
  fromId: string;
}

/**
 * Each inbox is read by its index, oldest day first, until there is enough; pages are all gone through, once, and of each
 * device the first are taken, so that a long inbox costs each of its reads the same. Where either kind was not read to its end,
 * what comes after its last is left for the next read: the order is kept.
 */
export function readInboxesStatement(devices: readonly InboxToRead[], most: number): Sql {
  const appIds = devices.map(({ appId }) => appId);
  const deviceIds = devices.map(({ deviceId }) => deviceId);
  const fromIds = devices.map(({ fromId }) => fromId);
  const leastId = fromIds.reduce((least, id) => (id < least ? id : least), fromIds[0] ?? '');
  const limit = parameter(most);
  return sql`
  WITH asked AS MATERIALIZED (
    SELECT * FROM unnest(${appIds}::text[], ${deviceIds}::bigint[], ${fromIds}::uuid[]) AS a (app_id, id, from_id)
  ), held AS MATERIALIZED (
    SELECT app_id, message_id, id, device_ids FROM pages WHERE edge_id IS NOT NULL AND message_id >= ${leastId}::uuid
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
          ORDER BY d.message_id LIMIT ${limit})
        UNION ALL
        (SELECT d.message_id, true FROM deliveries d
          WHERE d.app_id = asked.app_id AND d.device_id = asked.id AND d.in_inbox
            AND d.message_id >= asked.from_id
          ORDER BY d.message_id LIMIT ${limit})
      ) both_kinds ORDER BY message_id LIMIT ${limit}
    ) waiting
    UNION ALL
    SELECT * FROM on_pages WHERE place <= ${limit}
  ), cuts AS MATERIALIZED (
    SELECT app_id, id, min(message_id::text)::uuid AS last_id FROM inbox WHERE place = ${limit} GROUP BY app_id, id
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
}
