import type { DeviceId } from '@postrider/domain';
import type { LedgerDay } from '../partitions/ledger-day';
import { parameter, sql, type Sql } from '../sql';

/** Deliveries of one message that wait for connections. */
export interface WaitingMessage {
  appId: string;
  messageId: string;
  /** The page that an edge holds them on; null: each has a row of its own. */
  pageId: string | null;
  /** Null: of a page that the caller already knows. */
  deviceIds: DeviceId[] | null;
  /** For each device in `deviceIds`, true if a vendor has the message already. Null: none has. */
  keptOnes: boolean[] | null;
}

/** What to read: the messages that a hint named, or everything. */
export type WaitingAsk = { messageIds: readonly string[] } | { knownPageIds: readonly string[] };

/** How much of what waits on an edge is read. */
interface EdgeRead {
  edgeId: string;
  limit: number;
}

/**
 * Reads everything that waits on an edge, as `WaitingMessage`s, without the devices of the pages that the caller knows.
 */
export function findWaitingOnEdgeStatement(knownPageIds: readonly string[], read: EdgeRead): Sql {
  return waitingOnEdge(read, {
    pages: sql`pages`,
    deliveries: sql`deliveries`,
    known: sql`WHEN p.id = ANY (${knownPageIds}::uuid[]) THEN NULL`,
    condition: sql``,
  });
}

/**
 * Reads what waits on an edge of messages of one day, as `WaitingMessage`s. Of a message without delivery rows all
 * devices wait: most hints are about messages that were accepted just now. The order makes PostgreSQL look for such a
 * row by the key.
 */
export function findHintedStatement(day: LedgerDay, messageIds: readonly string[], read: EdgeRead): Sql {
  return waitingOnEdge(read, {
    ...day,
    known: sql`WHEN (
      SELECT d.rank FROM ${day.deliveries} d WHERE d.app_id = p.app_id AND d.message_id = p.message_id
      ORDER BY d.app_id, d.message_id, d.device_id LIMIT 1
    ) IS NULL THEN to_json(p.device_ids::text[])`,
    condition: sql`AND message_id = ANY (${messageIds}::uuid[])`,
  });
}

/** The parts in which the statements differ. */
interface EdgeSource extends Pick<LedgerDay, 'pages' | 'deliveries'> {
  /** Which devices of a page `p` wait, where no delivery row has to be looked up. */
  known: Sql;
  /** Which pages and deliveries of the edge are read. */
  condition: Sql;
}

/** The scalar subquery looks each device up by key, whatever the statistics say. */
function waitingOnEdge({ edgeId, limit }: EdgeRead, { pages, deliveries, known, condition }: EdgeSource): Sql {
  const [edge, most] = [parameter(edgeId), parameter(limit)];
  return sql`
  SELECT p.app_id AS "appId", p.message_id AS "messageId", p.id AS "pageId", CASE
    ${known}
    ELSE (
      SELECT coalesce(json_agg(device.id::text), '[]') FROM unnest(p.device_ids) AS device (id)
      WHERE (
        SELECT d.rank FROM ${deliveries} d
        WHERE d.app_id = p.app_id AND d.message_id = p.message_id AND d.device_id = device.id
      ) IS NULL
    ) END AS "deviceIds", NULL::json AS "keptOnes"
  FROM (
    SELECT *, sum(cardinality(device_ids)) OVER (ORDER BY message_id, id) - cardinality(device_ids) AS before FROM (
      SELECT app_id, message_id, id, device_ids FROM ${pages}
      WHERE edge_id = ${edge} ${condition}
      ORDER BY message_id, id LIMIT ${most}
    ) oldest
  ) p WHERE p.before < ${most}
  UNION ALL
  SELECT app_id, message_id, NULL, json_agg(device_id::text), NULL
  FROM (
    SELECT app_id, message_id, device_id FROM ${deliveries}
    WHERE edge_id = ${edge} AND state = 'pending' ${condition}
    ORDER BY message_id LIMIT ${most}
  ) waiting
  GROUP BY app_id, message_id
  ORDER BY "messageId"`;
}

/** A device, and the message from which on its waiting deliveries are read. */
export interface WaitingToRead {
  appId: string;
  deviceId: DeviceId;
  fromId: string;
}

/**
 * Reads the waiting deliveries of devices. Those with a row are read by the device's index, oldest day first, until
 * there are enough. Pages are all read once, and the first ones of each device are taken, so that each read costs the
 * same however much waits. If either kind was not read to its end, what comes after its last one is left for the next
 * read, which keeps the order.
 */
export function readWaitingStatement(devices: readonly WaitingToRead[], most: number): Sql {
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
  ), waiting_rows AS MATERIALIZED (
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
    SELECT app_id, id, min(message_id::text)::uuid AS last_id FROM waiting_rows WHERE place = ${limit} GROUP BY app_id, id
  ), taken AS (
    SELECT waiting_rows.* FROM waiting_rows LEFT JOIN cuts USING (app_id, id)
    WHERE (cuts.last_id IS NULL OR waiting_rows.message_id <= cuts.last_id)
      AND (waiting_rows.page_id IS NULL OR (
        SELECT d.rank FROM deliveries d
        WHERE d.app_id = waiting_rows.app_id AND d.message_id = waiting_rows.message_id AND d.device_id = waiting_rows.id
      ) IS NULL)
  )
  SELECT app_id AS "appId", message_id AS "messageId", page_id AS "pageId", json_agg(id::text) AS "deviceIds",
    json_agg(is_kept) AS "keptOnes", false AS "isCut"
  FROM taken GROUP BY app_id, message_id, page_id
  UNION ALL
  SELECT app_id, last_id, NULL, json_agg(id::text), NULL, true FROM cuts GROUP BY app_id, last_id
  ORDER BY "messageId"`;
}
