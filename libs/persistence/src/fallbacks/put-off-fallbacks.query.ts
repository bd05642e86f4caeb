import { type Executor, rows } from '../database/executor';
import type { MessageKey } from '../pages/find-cancelled-messages.query';

/** A fallback whose user is left alone until then. */
export interface SleepingFallback {
  userId: string;
  until: Date;
}

/**
 * Puts off locked fallbacks until their users' quiet hours end, in the transaction that locked them. One that expires before
 * that is seen to then.
 */
export async function putOffFallbacks(
  executor: Executor,
  { appId, messageId }: MessageKey,
  sleeping: readonly SleepingFallback[],
  now: Date,
): Promise<void> {
  await rows(
    executor,
    `UPDATE fallbacks f
     SET wake_at = least(s.until, m.expires_at), updated_at = $5, error_code = 'quiet_hours',
       reason = 'Waits until ' || to_char(s.until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
         || ', when the quiet hours end'
     FROM unnest($3::text[], $4::timestamptz[]) AS s (user_id, until), messages m
     WHERE f.app_id = $1 AND f.message_id = $2 AND f.user_id = s.user_id AND f.state = 'waiting'
       AND m.app_id = $1 AND m.id = $2`,
    [appId, messageId, sleeping.map(({ userId }) => userId), sleeping.map(({ until }) => until), now],
  );
}
