import type { Lane, PushVendor } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';
import type { PageKey } from './claim-page.query';

/** A page that has no worker and perhaps no job. */
export interface DuePage extends PageKey {
  vendor: PushVendor;
  lane: Lane;
  /** Null: at once. */
  notBefore: Date | null;
}

/**
 * Pages that are due to be looked at, longest due first: never enqueued or lost with Redis, their retry due, or their
 * lease over. One that waits for its moment is found a little ahead of it. Those that open inboxes are not among them.
 */
export async function findDuePages(executor: Executor, now: Date, limit: number): Promise<DuePage[]> {
  return rows<DuePage>(
    executor,
    `SELECT app_id AS "appId", message_id AS "messageId", id AS "pageId", vendor, lane, not_before AS "notBefore"
     FROM pages WHERE wake_at <= $1 AND vendor <> 'connection'
     ORDER BY wake_at LIMIT $2`,
    [now, limit],
  );
}
