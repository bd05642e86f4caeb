import { type Executor, rows } from '../database/executor';
import type { MessageKey } from '../pages/find-cancelled-messages.query';

/** A fallback whose provider can be asked what became of it. */
export interface FallbackInquiry {
  userId: string;
  fallbackId: string;
  provider: string;
  providerMessageId: string | null;
  phone: string;
  content: string;
  attemptedAt: Date;
  state: 'sent' | 'unknown';
  attempt: number;
  /** How often it was asked about, this time included. */
  inquiries: number;
}

/**
 * Takes up to `limit` of a message's fallbacks about which a provider is to be asked now, and plans the next time: after
 * the number of seconds that `pauses` has for each inquiry, then never again.
 */
export async function takeInquiries(
  executor: Executor,
  { appId, messageId }: MessageKey,
  { now, pauses, limit }: { now: Date; pauses: readonly number[]; limit: number },
): Promise<FallbackInquiry[]> {
  return rows<FallbackInquiry>(
    executor,
    `WITH due AS MATERIALIZED (
       SELECT user_id FROM fallbacks
       WHERE app_id = $1 AND message_id = $2 AND state IN ('sent', 'unknown') AND wake_at <= $3
       ORDER BY wake_at LIMIT $5
       FOR UPDATE SKIP LOCKED
     )
     UPDATE fallbacks f
     SET inquiries = f.inquiries + 1,
       wake_at = $3::timestamptz + ($4::int[])[f.inquiries + 1] * interval '1 second'
     WHERE f.app_id = $1 AND f.message_id = $2 AND f.user_id = ANY (ARRAY(SELECT user_id FROM due))
     RETURNING f.user_id AS "userId", f.fallback_id AS "fallbackId", f.provider,
       f.provider_message_id AS "providerMessageId", f.phone, f.attempted_at AS "attemptedAt", f.state, f.attempt, f.inquiries,
       coalesce((SELECT content -> 'fallback' ->> 'content' FROM messages WHERE app_id = $1 AND id = $2), '') AS content`,
    [appId, messageId, now, pauses, limit],
  );
}
