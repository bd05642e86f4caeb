import type { DeliveryVendor, Lane } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';
import type { PageKey } from './claim-page.query';

/** A page that has no worker and perhaps no job. */
export interface DuePage extends PageKey {
  vendor: DeliveryVendor;
  lane: Lane;
}

/**
 * Pages that are due to be looked at, longest due first: never enqueued or lost with Redis, their retry due, or their
 * lease over.
 */
export async function findDuePages(executor: Executor, now: Date, limit: number): Promise<DuePage[]> {
  return rows<DuePage>(
    executor,
    `SELECT app_id AS "appId", message_id AS "messageId", id AS "pageId", vendor, lane
     FROM pages WHERE wake_at <= $1
     ORDER BY wake_at LIMIT $2`,
    [now, limit],
  );
}
