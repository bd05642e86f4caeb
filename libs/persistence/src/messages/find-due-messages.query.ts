import { type Executor, rows } from '../database/executor';
import type { MessageKey } from '../messages/message-key';

/** A message that nobody seems to get on with. */
export interface DueMessage extends MessageKey {
  /** Whether its audience is in pages. */
  isResolved: boolean;
  isCancelled: boolean;
  /** Its job comes then, not before. Null: at once. */
  notBefore: Date | null;
  /** Whether it may be resolved with others: scheduled, to few users, all at once. */
  isForTogether: boolean;
}

/** More users than these make a message worth a job of its own. */
const FEW_USERS = 20;

/** Messages that are due to be looked at, longest due first. A scheduled one is found a little ahead of its time. */
export async function findDueMessages(executor: Executor, now: Date, limit: number): Promise<DueMessage[]> {
  return rows<DueMessage>(
    executor,
    `SELECT app_id AS "appId", id AS "messageId", resolved_at IS NOT NULL AS "isResolved", status = 'cancelled' AS "isCancelled",
       CASE WHEN status = 'accepted' THEN send_at END AS "notBefore",
       coalesce(status = 'accepted' AND send_at IS NOT NULL AND cardinality(user_ids) <= ${FEW_USERS}
         AND rate IS NULL AND local_time IS NULL, false) AS "isForTogether"
     FROM messages WHERE wake_at <= $1
     ORDER BY wake_at LIMIT $2`,
    [now, limit],
  );
}
