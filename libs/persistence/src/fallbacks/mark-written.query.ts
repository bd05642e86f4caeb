import { type Executor, rows } from '../database/executor';
import type { MessageKey } from '../pages/find-cancelled-messages.query';

/** A claimed fallback whose request is about to be written. */
export interface UnwrittenFallback {
  userId: string;
  attempt: number;
}

/**
 * Notes that the requests of claimed fallbacks are written from now on: whoever finds one of them after its lease has to
 * reckon with its having been taken.
 *
 * @returns the users whose claim still held; the others' requests must not be written
 */
export async function markFallbacksWritten(
  executor: Executor,
  { appId, messageId }: MessageKey,
  claimed: readonly UnwrittenFallback[],
  { now, leaseEndsAt }: { now: Date; leaseEndsAt: Date },
): Promise<Set<string>> {
  const marked = await rows<{ userId: string }>(
    executor,
    `UPDATE fallbacks f
     SET is_unwritten = false, attempted_at = $5, wake_at = $6, updated_at = $5
     FROM unnest($3::text[], $4::int[]) AS c (user_id, attempt)
     WHERE f.app_id = $1 AND f.message_id = $2 AND f.user_id = ANY ($3::text[]) AND f.user_id = c.user_id
       AND f.attempt = c.attempt AND f.state = 'sending' AND f.is_unwritten
     RETURNING f.user_id AS "userId"`,
    [appId, messageId, claimed.map(({ userId }) => userId), claimed.map(({ attempt }) => attempt), now, leaseEndsAt],
  );
  return new Set(marked.map(({ userId }) => userId));
}
