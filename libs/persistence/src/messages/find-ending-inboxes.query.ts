import { type Executor, rows } from '../database/executor';

/** A message whose deliveries wait for a connection no longer. */
export interface EndingInbox {
  appId: string;
  messageId: string;
  /** What becomes of them. */
  state: 'expired' | 'cancelled';
}

/** Messages that expired or were cancelled while deliveries of theirs waited for a connection, oldest first. */
export async function findEndingInboxes(executor: Executor, now: Date, limit: number): Promise<EndingInbox[]> {
  return rows<EndingInbox>(
    executor,
    `SELECT app_id AS "appId", id AS "messageId",
       CASE WHEN status = 'cancelled' THEN 'cancelled' ELSE 'expired' END AS state
     FROM messages WHERE inbox_ends_at <= $1
     ORDER BY inbox_ends_at LIMIT $2`,
    [now, limit],
  );
}
