import { type Executor, rows } from '../database/executor';

/** The tables that hold an application's rows in number, and the key of a row beside the application. */
const TABLES = {
  promo_assignments: ['message_id', 'user_id'],
  promo_codes: ['set_id', 'number'],
  promo_chunks: ['set_id', 'number'],
  fallbacks: ['message_id', 'user_id'],
  webhook_events: ['webhook_id', 'event_id'],
  quarantined_tokens: ['vendor', 'device_id'],
  token_answers: ['vendor', 'hour'],
  route_states: ['vendor', 'worker_id'],
  delivery_clicks: ['message_id', 'device_id', 'kind', 'name_key'],
  message_counts: ['message_id', 'kind', 'name_key', 'hour', 'platform'],
  conversions: ['message_id', 'device_id', 'at', 'name'],
  inbox_marks: ['device_id', 'message_id'],
  reported_events: ['user_id', 'digest', 'day'],
  tracker_visitors: ['tracker_id', 'day', 'visitor'],
  deferred_links: ['token_key'],
  deliveries: ['message_id', 'device_id'],
  pages: ['message_id', 'id'],
  messages: ['id'],
  presence: ['id'],
  former_owners: ['id'],
  hand_overs: ['id'],
  installations: ['id'],
  users: ['user_id'],
} as const;

/** A table that is emptied in steps before its application goes. In the order in which they are emptied. */
export const TABLES_OF_APPLICATION = Object.keys(TABLES) as (keyof typeof TABLES)[];

/**
 * Removes up to `limit` of an application's rows of one table: a small transaction, however many there are.
 *
 * @returns how many went; fewer than `limit` means that none is left
 */
export async function deleteApplicationRows(
  executor: Executor,
  appId: string,
  table: (typeof TABLES_OF_APPLICATION)[number],
  limit: number,
): Promise<number> {
  const keys = TABLES[table].join(', ');
  const gone = await rows<{ gone: string }>(
    executor,
    `WITH doomed AS (
       DELETE FROM ${table} WHERE app_id = $1 AND (${keys}) IN (SELECT ${keys} FROM ${table} WHERE app_id = $1 LIMIT $2)
       RETURNING 1
     )
     SELECT count(*) AS gone FROM doomed`,
    [appId, limit],
  );
  return Number(gone[0]?.gone ?? 0);
}
