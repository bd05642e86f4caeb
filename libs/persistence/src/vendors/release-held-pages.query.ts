import type { PushVendor } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';
import type { DuePage } from '../pages/find-due-pages.query';

/**
 * A page that waits because its route is held: begun once, with no attempt that counts, given back until a moment, and not by a
 * limit.
 */
export const IS_HELD = `p.state = 'waiting' AND p.fence > 0 AND p.first_attempt_at IS NULL AND p.turn_at IS NULL
  AND p.not_before IS NOT NULL`;

/**
 * Makes up to `limit` pages of an application that wait for a held route due at once. Pages that wait to be tried again, for a
 * moment or a limit stay as they are.
 *
 * @returns them, to be enqueued
 */
export async function releaseHeldPages(
  executor: Executor,
  appId: string,
  vendor: PushVendor,
  now: Date,
  limit: number,
): Promise<Omit<DuePage, 'notBefore'>[]> {
  return rows<Omit<DuePage, 'notBefore'>>(
    executor,
    `WITH held AS (
       SELECT p.message_id, p.id FROM pages p
       WHERE p.app_id = $1 AND p.vendor = $2 AND p.state <> 'finished' AND ${IS_HELD} AND p.not_before > $3
       LIMIT $4
     )
     UPDATE pages p SET not_before = $3, wake_at = least(p.wake_at, $3)
     FROM held
     WHERE p.app_id = $1 AND p.message_id = held.message_id AND p.id = held.id AND ${IS_HELD}
     RETURNING p.app_id AS "appId", p.message_id AS "messageId", p.id AS "pageId", p.vendor, p.lane`,
    [appId, vendor, now, limit],
  );
}

/** Makes an application's fallbacks that wait although they are due be seen to now: what holds their provider may be over. */
export async function releaseHeldFallbacks(executor: Executor, appId: string, now: Date): Promise<void> {
  await rows(
    executor,
    `UPDATE fallbacks SET wake_at = $2
     WHERE app_id = $1 AND state = 'waiting' AND wake_at > $2 AND due_at <= $2`,
    [appId, now],
  );
}
