import { type Executor, rows } from '../database/executor';
import { TAG_JOB_COLUMNS, type TagJob, type TagJobKey, type TagJobStatus } from './tag-job';

/** A line that was refused, and why. */
export interface TagLineError {
  line: number;
  message: string;
}

/** The file, or null. */
export async function findTagJob(executor: Executor, { appId, jobId }: TagJobKey): Promise<TagJob | null> {
  const found = await rows<TagJob>(
    executor,
    `SELECT ${TAG_JOB_COLUMNS} FROM tag_jobs WHERE app_id = $1 AND job_id = $2`,
    [appId, jobId],
  );
  return found[0] ?? null;
}

/** The lines of a file that were refused, in their order: the first ones of many. */
export async function findTagErrors(executor: Executor, { appId, jobId }: TagJobKey): Promise<TagLineError[]> {
  return rows<TagLineError>(
    executor,
    `SELECT line::float8 AS line, message FROM tag_job_errors WHERE app_id = $1 AND job_id = $2 ORDER BY line`,
    [appId, jobId],
  );
}

/** One piece of a file; null behind the last one, and when it is worked. */
export async function readTagChunk(
  executor: Executor,
  { appId, jobId }: TagJobKey,
  number: number,
): Promise<Buffer | null> {
  const found = await rows<{ content: Buffer }>(
    executor,
    `SELECT content FROM tag_job_chunks WHERE app_id = $1 AND job_id = $2 AND number = $3`,
    [appId, jobId, number],
  );
  return found[0]?.content ?? null;
}

/** A file that somebody should see to. */
export type DueTagJob = TagJobKey & { status: TagJobStatus };

/** Files that nobody gets on with, whose upload broke off, or that were kept long enough; longest due first. */
export async function findDueTagJobs(executor: Executor, now: Date, limit: number): Promise<DueTagJob[]> {
  return rows<DueTagJob>(
    executor,
    `SELECT app_id AS "appId", job_id AS "jobId", status FROM tag_jobs
     WHERE wake_at <= $1 ORDER BY wake_at LIMIT $2`,
    [now, limit],
  );
}

/** Puts off looking at a file that is still due. */
export async function postponeTagJob(
  executor: Executor,
  { appId, jobId }: TagJobKey,
  { now, wakeAt }: { now: Date; wakeAt: Date },
): Promise<void> {
  await rows(executor, `UPDATE tag_jobs SET wake_at = $4 WHERE app_id = $1 AND job_id = $2 AND wake_at <= $3`, [
    appId,
    jobId,
    now,
    wakeAt,
  ]);
}
