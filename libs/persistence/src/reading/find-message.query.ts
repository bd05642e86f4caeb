import { type Executor, rows } from '../database/executor';
import { MESSAGE_COLUMNS, type MessageRecord } from './message-record';

/** One message of an application, or null. */
export async function findMessage(executor: Executor, appId: string, messageId: string): Promise<MessageRecord | null> {
  const found = await rows<MessageRecord>(
    executor,
    `SELECT ${MESSAGE_COLUMNS} FROM messages m WHERE m.app_id = $1 AND m.id = $2`,
    [appId, messageId],
  );
  return found[0] ?? null;
}
