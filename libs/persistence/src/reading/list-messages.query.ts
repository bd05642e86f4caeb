import { type Executor, rows } from '../database/executor';
import { MESSAGE_COLUMNS, type MessageRecord } from './message-record';

/** Which messages of an application are asked for; null: no matter which. */
export interface MessageFilter {
  isCampaign: boolean | null;
  trackId: string | null;
  clientId: string | null;
  userId: string | null;
  batchId: string | null;
  /** Only messages accepted before this one. */
  beforeId: string | null;
}

/** An application's messages, newest first, at most `limit`. Conditions that are not asked for are left out. */
export async function listMessages(
  executor: Executor,
  appId: string,
  filter: MessageFilter,
  limit: number,
): Promise<MessageRecord[]> {
  const parameters: unknown[] = [appId, limit];
  const conditions = [
    { sql: (n: number) => `m.track_id = $${n}`, value: filter.trackId },
    { sql: (n: number) => `m.client_id = $${n}`, value: filter.clientId },
    { sql: (n: number) => `m.user_ids @> ARRAY[$${n}::text]`, value: filter.userId },
    { sql: (n: number) => `m.batch_id = $${n}::uuid`, value: filter.batchId },
    { sql: (n: number) => `m.id < $${n}::uuid`, value: filter.beforeId },
  ].flatMap(({ sql, value }) => (value === null ? [] : [sql(parameters.push(value))]));
  return rows<MessageRecord>(
    executor,
    `SELECT ${MESSAGE_COLUMNS} FROM messages m WHERE ${['m.app_id = $1', KIND[String(filter.isCampaign)], ...conditions].join(' AND ')}
     ORDER BY m.id DESC LIMIT $2`,
    parameters,
  );
}

/** Written out, because the index of campaigns holds nothing else. */
const KIND: Record<string, string> = { true: 'm.is_campaign', false: 'NOT m.is_campaign', null: 'true' };
