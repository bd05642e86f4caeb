import { type Executor, rows } from '../database/executor';
import { rulesColumns, type SavedRules, type SavedSegment, SEGMENT_COLUMNS } from './saved-segment';

/** A segment about to be kept. */
export interface NewSegment extends SavedRules {
  segmentId: string;
  name: string;
  createdAt: Date;
}

/**
 * Keeps a segment. Has to run in a transaction: it holds the application's row, so that of two at once one waits.
 *
 * @returns null when the application has `most` segments already
 * @throws a unique violation when it has one with that name
 */
export async function insertSegment(
  executor: Executor,
  appId: string,
  { segmentId, name, createdAt, ...rules }: NewSegment,
  most: number,
): Promise<SavedSegment | null> {
  await rows(executor, `SELECT 1 FROM applications WHERE app_id = $1 FOR NO KEY UPDATE`, [appId]);
  const made = await rows<SavedSegment>(
    executor,
    `INSERT INTO segments (app_id, segment_id, name, target, segment, created_at, updated_at, measure_at)
     SELECT $1, $2::uuid, $3, $4::jsonb, $5::jsonb, $6::timestamptz, $6::timestamptz, $6::timestamptz
     WHERE (SELECT count(*) FROM segments WHERE app_id = $1) < $7::int
     RETURNING ${SEGMENT_COLUMNS}`,
    [appId, segmentId, name, ...rulesColumns(rules), createdAt, most],
  );
  return made[0] ?? null;
}

/**
 * Gives a segment another name and other rules.
 *
 * @returns null when there is none with that id
 * @throws a unique violation when another one has that name
 */
export async function updateSegment(
  executor: Executor,
  appId: string,
  { segmentId, name, updatedAt, ...rules }: Omit<NewSegment, 'createdAt'> & { updatedAt: Date },
): Promise<SavedSegment | null> {
  const changed = await rows<SavedSegment>(
    executor,
    `UPDATE segments SET name = $3, target = $4::jsonb, segment = $5::jsonb, updated_at = $6, measure_at = $6
     WHERE app_id = $1 AND segment_id = $2
     RETURNING ${SEGMENT_COLUMNS}`,
    [appId, segmentId, name, ...rulesColumns(rules), updatedAt],
  );
  return changed[0] ?? null;
}

/** Forgets a segment. Messages that were sent to it keep its rules. @returns false when there was none */
export async function deleteSegment(executor: Executor, appId: string, segmentId: string): Promise<boolean> {
  const gone = await rows(executor, `DELETE FROM segments WHERE app_id = $1 AND segment_id = $2 RETURNING 1`, [
    appId,
    segmentId,
  ]);
  return gone.length > 0;
}
