import { type Executor, rows } from '../database/executor';

/** How big a segment was at one moment. */
export interface SegmentSize {
  measuredAt: Date;
  /** All devices that match. */
  devices: number;
  /** Those of them that a message would be sent to. */
  reachable: number;
  /** Null: counting them would have taken too long. */
  users: number | null;
}

/**
 * How big a segment was in `[since, until)`, oldest first; null: from the beginning, until now. There are some hundreds: an hour
 * or a day has one.
 */
export async function listSegmentSizes(
  executor: Executor,
  appId: string,
  segmentId: string,
  { since, until }: { since: Date | null; until: Date | null },
): Promise<SegmentSize[]> {
  return rows<SegmentSize>(
    executor,
    `SELECT measured_at AS "measuredAt", devices::float8 AS devices, reachable::float8 AS reachable, users::float8 AS users
     FROM segment_sizes
     WHERE app_id = $1 AND segment_id = $2 AND measured_at >= coalesce($3::timestamptz, '-infinity')
       AND measured_at < coalesce($4::timestamptz, 'infinity')
     ORDER BY measured_at`,
    [appId, segmentId, since, until],
  );
}
