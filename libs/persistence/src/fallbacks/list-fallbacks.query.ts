import type { FallbackState } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';

/** A fallback as it stands in the ledger. */
export interface FallbackRecord {
  userId: string;
  state: FallbackState;
  phone: string | null;
  provider: string | null;
  providerMessageId: string | null;
  errorCode: string | null;
  reason: string | null;
  attempt: number;
  /** How often it was sent again although its provider may have taken it. */
  resent: number;
  dueAt: Date;
  attemptedAt: Date | null;
  sentAt: Date | null;
  endedAt: Date | null;
  updatedAt: Date;
}

/** Which of a message's fallbacks to read. */
export interface FallbackFilter {
  state: FallbackState | null;
  afterUserId: string;
  limit: number;
}

/** A message's fallbacks by user id, those of erased users left out. What waits on a cancelled message reads as `cancelled`. */
export async function listFallbacks(
  executor: Executor,
  appId: string,
  messageId: string,
  { state, afterUserId, limit }: FallbackFilter,
): Promise<FallbackRecord[]> {
  return rows<FallbackRecord>(
    executor,
    `SELECT * FROM (
       SELECT f.user_id AS "userId",
         CASE WHEN f.state = 'waiting' AND m.status = 'cancelled' THEN 'cancelled' ELSE f.state END AS state, f.phone,
         f.provider, f.provider_message_id AS "providerMessageId", f.error_code AS "errorCode", f.reason, f.attempt, f.resent,
         f.due_at AS "dueAt", f.attempted_at AS "attemptedAt", f.sent_at AS "sentAt", f.ended_at AS "endedAt",
         f.updated_at AS "updatedAt"
       FROM fallbacks f JOIN messages m ON m.app_id = $1 AND m.id = $2
       WHERE f.app_id = $1 AND f.message_id = $2 AND f.user_id > greatest($4, chr(2))
     ) listed
     WHERE $3::text IS NULL OR state = $3
     ORDER BY "userId" LIMIT $5`,
    [appId, messageId, state, afterUserId, limit],
  );
}
