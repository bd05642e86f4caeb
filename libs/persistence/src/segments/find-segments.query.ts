import { type Executor, rows } from '../database/executor';
import { type SavedSegment, SEGMENT_COLUMNS } from './saved-segment';

/** The segment with this id, or null. */
export async function findSegment(executor: Executor, appId: string, segmentId: string): Promise<SavedSegment | null> {
  const found = await rows<SavedSegment>(
    executor,
    `SELECT ${SEGMENT_COLUMNS} FROM segments WHERE app_id = $1 AND segment_id = $2`,
    [appId, segmentId],
  );
  return found[0] ?? null;
}

/** An application's segments, newest first, at most `limit` before `beforeId`; null: from the newest. */
export async function listSegments(
  executor: Executor,
  appId: string,
  { beforeId, limit }: { beforeId: string | null; limit: number },
): Promise<SavedSegment[]> {
  return rows<SavedSegment>(
    executor,
    `SELECT ${SEGMENT_COLUMNS} FROM segments
     WHERE app_id = $1 AND ($2::uuid IS NULL OR segment_id < $2)
     ORDER BY segment_id DESC LIMIT $3`,
    [appId, beforeId, limit],
  );
}
