import type { Executor } from '../database/executor';
import { preparedRows } from '../database/prepared-rows';
import type { WaitingMessage } from './inbox-row';

/** What is asked for: messages that a hint named, or all there is. */
export type WaitingAsk = { messageIds: readonly string[] } | { knownPageIds: readonly string[] };

/**
 * What was routed to connections of an edge and has no outcome yet, oldest first: at most about `limit` deliveries on pages,
 * and as many with a row of their own. Of a page that is not among `knownPageIds`, devices that have an outcome are left out.
 */
export async function findWaitingOnEdge(
  executor: Executor,
  edgeId: string,
  ask: WaitingAsk,
  limit: number,
): Promise<WaitingMessage[]> {
  return 'messageIds' in ask
    ? preparedRows<WaitingMessage>(executor, OF_MESSAGES, [edgeId, limit, ask.messageIds])
    : preparedRows<WaitingMessage>(executor, ALL, [edgeId, limit, ask.knownPageIds]);
}

/** The scalar looks each device up by key, whatever the statistics say. */
const statement = (known: string, condition: string): string => `
  SELECT p.app_id AS "appId", p.message_id AS "messageId", p.id AS "pageId", CASE
    WHEN ${known} THEN NULL
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
      WHERE edge_id = $1 ${condition}
      ORDER BY message_id, id LIMIT $2
    ) oldest
  ) p WHERE p.before < $2
  UNION ALL
  SELECT app_id, message_id, NULL, json_agg(device_id::text), NULL
  FROM (
    SELECT app_id, message_id, device_id FROM deliveries
    WHERE edge_id = $1 AND state = 'pending' ${condition}
    ORDER BY message_id LIMIT $2
  ) waiting
  GROUP BY app_id, message_id
  ORDER BY "messageId"`;

const ALL = statement('p.id = ANY ($3::uuid[])', '');
const OF_MESSAGES = statement('false', 'AND message_id = ANY ($3::uuid[])');
