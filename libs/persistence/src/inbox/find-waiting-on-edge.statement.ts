import { parameter, sql, type Sql } from '../sql';

/** Deliveries of one message that wait for connections. */
export interface WaitingMessage {
  appId: string;
  messageId: string;
  /** The page that an edge holds them on; null: each has a row of its own. */
  pageId: string | null;
  /** Null: of a page that the caller knows. */
  deviceIds: string[] | null;
  /** Whether a vendor has each already, in the order of `deviceIds`; null: none has. */
  keptOnes: boolean[] | null;
}

/** What is asked for: messages that a hint named, or all there is. */
export type WaitingAsk = { messageIds: readonly string[] } | { knownPageIds: readonly string[] };

/** What waits on an edge, as `WaitingMessage`s. The scalar looks each device up by key, whatever the statistics say. */
export function findWaitingOnEdgeStatement(edgeId: string, ask: WaitingAsk, limit: number): Sql {
  const [edge, most] = [parameter(edgeId), parameter(limit)];
  const messageIds = 'messageIds' in ask ? parameter(ask.messageIds) : null;
  const isKnown = 'messageIds' in ask ? sql`false` : sql`p.id = ANY (${ask.knownPageIds}::uuid[])`;
  const condition = messageIds === null ? sql`` : sql`AND message_id = ANY (${messageIds}::uuid[])`;
  return sql`
  SELECT p.app_id AS "appId", p.message_id AS "messageId", p.id AS "pageId", CASE
    WHEN ${isKnown} THEN NULL
    ELSE (
      SELECT coalesce(json_agg(device.id::text), '[]') FROM unnest(p.device_ids) AS device (id)
      WHERE (
        SELECT d.rank FROM deliveries d
        WHERE d.app_id = p.app_id AND d.message_id = p.message_id AND d.device_id = device.id
      ) IS NULL
    ) END AS "deviceIds", NULL::json AS "keptOnes"
  FROM (
    SELECT *, sum(cardinality(device_ids)) OVER (ORDER BY message_id, id) - cardinality(device_ids) AS before FROM (
      SELECT app_id, message_id, id, device_ids FROM pages
      WHERE edge_id = ${edge} ${condition}
      ORDER BY message_id, id LIMIT ${most}
    ) oldest
  ) p WHERE p.before < ${most}
  UNION ALL
  SELECT app_id, message_id, NULL, json_agg(device_id::text), NULL
  FROM (
    SELECT app_id, message_id, device_id FROM deliveries
    WHERE edge_id = ${edge} AND state = 'pending' ${condition}
    ORDER BY message_id LIMIT ${most}
  ) waiting
  GROUP BY app_id, message_id
  ORDER BY "messageId"`;
}
