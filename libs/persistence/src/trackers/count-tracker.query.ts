import { type Executor, rows } from '../database/executor';

/** How often something happened with a tracker in one stretch of time, on one platform. */
export interface TrackerCount {
  kind: 'click' | 'visit' | 'install' | 'opened' | 'declined';
  from: Date;
  platform: string;
  count: number;
}

/** What happened with a tracker in `[since, until)`, by stretches of `interval`, oldest first. */
export async function countTracker(
  executor: Executor,
  appId: string,
  trackerId: string,
  { since, until, interval }: { since: Date; until: Date; interval: 'hour' | 'day' },
): Promise<TrackerCount[]> {
  return rows<TrackerCount>(
    executor,
    `SELECT kind, date_trunc($5, hour, 'UTC') AS "from", platform, sum(count)::float8 AS count FROM tracker_counts
     WHERE app_id = $1 AND tracker_id = $2 AND hour >= date_trunc('hour', $3::timestamptz, 'UTC') AND hour < $4
     GROUP BY 1, 2, 3 ORDER BY 2, 1, 3`,
    [appId, trackerId, since, until, interval],
  );
}
