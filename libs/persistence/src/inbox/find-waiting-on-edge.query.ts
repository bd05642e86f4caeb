import type { Executor } from '../database/executor';
import { preparedRows } from '../database/prepared-rows';
import type { WaitingMessage } from './inbox-row';

/**
 * What was routed to connections of an edge and is not acknowledged yet, oldest first.
 *
 * @param messageIds only of these messages; null: of all
 */
export async function findWaitingOnEdge(
  executor: Executor,
  edgeId: string,
  messageIds: readonly string[] | null,
  limit: number,
): Promise<WaitingMessage[]> {
  return messageIds === null
    ? preparedRows<WaitingMessage>(executor, statement(''), [edgeId, limit])
    : preparedRows<WaitingMessage>(executor, statement('AND d.message_id = ANY ($3::uuid[])'), [
        edgeId,
        limit,
        messageIds,
      ]);
}

function statement(condition: string): string {
  return `
  SELECT app_id AS "appId", message_id AS "messageId", array_agg(device_id::text) AS "deviceIds",
    array_agg(false) AS "keptOnes"
  FROM (
    SELECT d.app_id, d.message_id, d.device_id FROM deliveries d
    WHERE d.edge_id = $1 AND d.state = 'pending' ${condition}
    ORDER BY d.message_id LIMIT $2
  ) waiting
  GROUP BY app_id, message_id ORDER BY message_id`;
}
