import { type Executor, rows } from '../database/executor';
import type { TagLineError } from './read-tag-job.query';
import { TAG_CHUNK_BYTES, type TagJobKey } from './tag-job';

/** How many refused lines of a file are told one by one. */
const MOST_ERRORS = 1_000;

/**
 * Holds a file until the transaction ends, if it still stands at `position`: then the stretch behind it is the caller's.
 *
 * @returns false when somebody else has worked it, or nobody should any more
 */
export async function holdTagJob(executor: Executor, { appId, jobId }: TagJobKey, position: number): Promise<boolean> {
  const held = await rows(
    executor,
    `SELECT 1 FROM tag_jobs WHERE app_id = $1 AND job_id = $2 AND position = $3 AND status = 'working'
     FOR NO KEY UPDATE`,
    [appId, jobId, position],
  );
  return held.length > 0;
}

/** What a stretch of a file came to. */
export interface TagJobStep {
  position: number;
  lines: number;
  usersChanged: number;
  devicesChanged: number;
  unknownUsers: number;
  errors: readonly TagLineError[];
  columns: readonly string[] | null;
  isLast: boolean;
  now: Date;
  /** When the sweeper should look at the file: it is forsaken by then, or was kept long enough. */
  wakeAt: Date;
}

/** Moves a file that `holdTagJob` holds on. What is worked of it is thrown away. */
export async function advanceTagJob(
  executor: Executor,
  { appId, jobId }: TagJobKey,
  { errors, isLast, ...step }: TagJobStep,
): Promise<void> {
  await rows(
    executor,
    `UPDATE tag_jobs SET position = $3, lines = $4, failed_lines = failed_lines + $5, users_changed = users_changed + $6,
       devices_changed = devices_changed + $7, unknown_users = unknown_users + $8, columns = $9, wake_at = $10,
       status = CASE WHEN $11 THEN 'done' ELSE status END, finished_at = CASE WHEN $11 THEN $12::timestamptz END
     WHERE app_id = $1 AND job_id = $2`,
    [
      appId,
      jobId,
      step.position,
      step.lines,
      errors.length,
      step.usersChanged,
      step.devicesChanged,
      step.unknownUsers,
      step.columns,
      step.wakeAt,
      isLast,
      step.now,
    ],
  );
  await noteErrors(executor, { appId, jobId }, errors);
  await dropChunks(executor, { appId, jobId }, isLast ? null : Math.floor(step.position / TAG_CHUNK_BYTES));
}

/** Ends a file that cannot be worked. */
export async function failTagJob(
  executor: Executor,
  { appId, jobId }: TagJobKey,
  { reason, now, wakeAt }: { reason: string; now: Date; wakeAt: Date },
): Promise<void> {
  await rows(
    executor,
    `UPDATE tag_jobs SET status = 'failed', reason = $3, finished_at = $4, wake_at = $5
     WHERE app_id = $1 AND job_id = $2 AND status IN ('uploading', 'working')`,
    [appId, jobId, reason, now, wakeAt],
  );
  await dropChunks(executor, { appId, jobId }, null);
}

async function noteErrors(
  executor: Executor,
  { appId, jobId }: TagJobKey,
  errors: readonly TagLineError[],
): Promise<void> {
  if (errors.length === 0) return;
  await rows(
    executor,
    `INSERT INTO tag_job_errors (app_id, job_id, line, message)
     SELECT $1, $2::uuid, error.line, error.message
     FROM unnest($3::bigint[], $4::text[]) WITH ORDINALITY AS error (line, message, place)
     WHERE error.place <= $5 - (SELECT count(*) FROM tag_job_errors WHERE app_id = $1 AND job_id = $2::uuid)
     ON CONFLICT DO NOTHING`,
    [appId, jobId, errors.map(({ line }) => line), errors.map(({ message }) => message), MOST_ERRORS],
  );
}

/** @param before the first piece that stays; null: none does */
async function dropChunks(executor: Executor, { appId, jobId }: TagJobKey, before: number | null): Promise<void> {
  await rows(
    executor,
    `DELETE FROM tag_job_chunks WHERE app_id = $1 AND job_id = $2 AND ($3::int IS NULL OR number < $3)`,
    [appId, jobId, before],
  );
}
