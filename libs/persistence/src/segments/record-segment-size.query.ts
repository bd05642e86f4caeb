import { type Executor, rows } from '../database/executor';
import type { DueSegment } from './claim-due-segment.query';
import type { SegmentSize } from './list-segment-sizes.query';

type ClaimedSegment = Pick<DueSegment, 'appId' | 'segmentId' | 'leasedUntil'>;

/** For how long sizes are kept by the hour, and for how long by the day. */
const HOURS_KEPT = '14 days';
const DAYS_KEPT = '1 year';

/**
 * Keeps what a segment measured, has it measured again at `nextAt`, and thins out what is older: of each hour of two weeks
 * and of each day of a year the last size stays. Nothing is kept when the segment was changed or forgotten meanwhile, or
 * somebody else measures it: what was counted is then not what it says.
 *
 * @returns whether it was kept
 */
export async function recordSegmentSize(
  executor: Executor,
  { appId, segmentId, leasedUntil }: ClaimedSegment,
  { measuredAt, devices, reachable, users }: SegmentSize,
  nextAt: Date,
): Promise<boolean> {
  const kept = await rows(
    executor,
    `WITH claimed AS (
       UPDATE segments SET measure_at = $4 WHERE app_id = $1 AND segment_id = $2 AND measure_at = $3 RETURNING 1
     ), thinned AS (
       DELETE FROM segment_sizes s
       WHERE s.app_id = $1 AND s.segment_id = $2 AND EXISTS (SELECT 1 FROM claimed) AND (
         s.measured_at < $5::timestamptz - interval '${DAYS_KEPT}'
         OR date_trunc('hour', s.measured_at, 'UTC') = date_trunc('hour', $5::timestamptz, 'UTC') AND s.measured_at < $5
         OR s.measured_at < $5::timestamptz - interval '${HOURS_KEPT}' AND EXISTS (
           SELECT 1 FROM segment_sizes later
           WHERE later.app_id = $1 AND later.segment_id = $2 AND later.measured_at > s.measured_at
             AND later.measured_at < date_trunc('day', s.measured_at, 'UTC') + interval '1 day'
         )
       )
     )
     INSERT INTO segment_sizes (app_id, segment_id, measured_at, devices, reachable, users)
     SELECT $1, $2, $5, $6, $7, $8 FROM claimed
     ON CONFLICT (app_id, segment_id, measured_at) DO NOTHING RETURNING 1`,
    [appId, segmentId, leasedUntil, nextAt, measuredAt, devices, reachable, users],
  );
  return kept.length > 0;
}

/** Has a claimed segment that could not be measured measured at `nextAt`, unless it was changed meanwhile. */
export async function postponeMeasurement(
  executor: Executor,
  { appId, segmentId, leasedUntil }: ClaimedSegment,
  nextAt: Date,
): Promise<void> {
  await rows(
    executor,
    `UPDATE segments SET measure_at = $4 WHERE app_id = $1 AND segment_id = $2 AND measure_at = $3`,
    [appId, segmentId, leasedUntil, nextAt],
  );
}
