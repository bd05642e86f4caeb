import { type Executor, rows } from '../database/executor';
import type { SavedRules } from './saved-segment';

/** A segment whose size is to be measured, and when somebody else may, should it not come to that. */
export interface DueSegment extends SavedRules {
  appId: string;
  segmentId: string;
  leasedUntil: Date;
}

/**
 * Takes the segment that has waited longest for being measured, for whichever application, until `leasedUntil`.
 *
 * @returns null when none is due
 */
export async function claimDueSegment(executor: Executor, now: Date, leasedUntil: Date): Promise<DueSegment | null> {
  const [due] = await rows<DueSegment>(
    executor,
    `UPDATE segments s SET measure_at = $2
     FROM (
       SELECT app_id, segment_id FROM segments WHERE measure_at <= $1
       ORDER BY measure_at LIMIT 1 FOR UPDATE SKIP LOCKED
     ) due
     WHERE s.app_id = due.app_id AND s.segment_id = due.segment_id
     RETURNING s.app_id AS "appId", s.segment_id AS "segmentId", s.target, s.segment, s.measure_at AS "leasedUntil"`,
    [now, leasedUntil],
  );
  return due ?? null;
}
