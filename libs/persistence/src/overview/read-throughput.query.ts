import { firstIdAt } from '@postrider/platform';
import { type Executor, rows } from '../database/executor';

/** How many devices vendors were asked about in one span of time. */
export interface ThroughputPoint {
  at: Date;
  devices: number;
}

/** A page belongs to a message of at most so long ago: longer messages than this live. */
const OLDEST_MESSAGE_MS = 29 * 86_400_000;

/**
 * The devices of the pages that were finished from `since` on, in spans of `spanSeconds`. Spans without any are left out, as
 * are pages that ended before a vendor was asked: cancelled in time.
 */
export async function readThroughput(
  executor: Executor,
  appId: string,
  since: Date,
  spanSeconds: number,
): Promise<ThroughputPoint[]> {
  return rows<ThroughputPoint>(
    executor,
    `SELECT to_timestamp(floor(extract(epoch FROM finished_at) / $3::int) * $3::int) AS at,
       sum(cardinality(device_ids))::float8 AS devices
     FROM pages WHERE app_id = $1 AND finished_at >= $2 AND first_attempt_at IS NOT NULL
       AND message_id >= $4::uuid GROUP BY 1 ORDER BY 1`,
    [appId, since, spanSeconds, firstIdAt(new Date(since.getTime() - OLDEST_MESSAGE_MS))],
  );
}
