import type { DeliveryState } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';

/** How many deliveries are in one state, by vendor and error. */
export interface DeliveryCount {
  state: DeliveryState;
  vendor: string | null;
  errorCode: string | null;
  count: number;
}

/**
 * Counts a message's deliveries by state: those that are recorded, and as `pending` the devices of open pages that have
 * no record yet. What is pending on a cancelled message counts as `cancelled`: nobody will try it any more.
 *
 * Devices of a page that nobody began cannot be recorded, so that their number is enough; only begun pages are looked
 * into.
 */
export async function countDeliveries(executor: Executor, appId: string, messageId: string): Promise<DeliveryCount[]> {
  return rows<DeliveryCount>(
    executor,
    `WITH recorded AS (
       SELECT state, vendor, error_code, count(*) AS count FROM deliveries
       WHERE app_id = $1 AND message_id = $2 GROUP BY state, vendor, error_code
     ), open AS (
       SELECT p.vendor, cardinality(p.device_ids) - CASE WHEN p.fence = 0 AND p.attempt = 1 THEN 0 ELSE (
         SELECT count(*) FROM unnest(p.device_ids) AS device (id)
         JOIN deliveries d ON d.app_id = $1 AND d.message_id = $2 AND d.device_id = device.id
       ) END AS count
       FROM pages p WHERE p.app_id = $1 AND p.message_id = $2 AND p.state <> 'finished'
     ), counted AS (
       SELECT state, vendor, error_code, count FROM recorded
       UNION ALL SELECT 'pending', vendor, NULL, count FROM open
     )
     SELECT CASE WHEN m.status = 'cancelled' AND counted.state = 'pending' THEN 'cancelled' ELSE counted.state END AS state,
       counted.vendor, counted.error_code AS "errorCode", sum(counted.count)::float8 AS count
     FROM counted CROSS JOIN messages m WHERE m.app_id = $1 AND m.id = $2
     GROUP BY 1, 2, 3 HAVING sum(counted.count) > 0`,
    [appId, messageId],
  );
}
