import { type Executor, rows } from '../database/executor';
import type { MessageKey } from './message-key';

/** Which of `messages` were cancelled. */
export async function findCancelledMessages(
  executor: Executor,
  messages: readonly MessageKey[],
): Promise<MessageKey[]> {
  return rows<MessageKey>(
    executor,
    `SELECT m.app_id AS "appId", m.id AS "messageId"
     FROM unnest($1::text[], $2::uuid[]) AS running (app_id, id)
     JOIN messages m ON m.app_id = running.app_id AND m.id = running.id
     WHERE m.status = 'cancelled'`,
    [messages.map(({ appId }) => appId), messages.map(({ messageId }) => messageId)],
  );
}
