import { type Executor, rows } from '../database/executor';
import type { TagFileFormat, TagJobKey, TagOperation } from './tag-job';

/** Begins a file. @param giveUpAt when it is taken for broken off, should it not be there whole by then */
export async function insertTagJob(
  executor: Executor,
  { appId, jobId }: TagJobKey,
  job: { format: TagFileFormat; operation: TagOperation; createdAt: Date; giveUpAt: Date },
): Promise<void> {
  await rows(
    executor,
    `INSERT INTO tag_jobs (app_id, job_id, format, operation, created_at, wake_at) VALUES ($1, $2, $3, $4, $5, $6)`,
    [appId, jobId, job.format, job.operation, job.createdAt, job.giveUpAt],
  );
}

/** Keeps one piece of a file. */
export async function insertTagChunk(
  executor: Executor,
  { appId, jobId }: TagJobKey,
  number: number,
  content: Buffer,
): Promise<void> {
  await rows(executor, `INSERT INTO tag_job_chunks (app_id, job_id, number, content) VALUES ($1, $2, $3, $4)`, [
    appId,
    jobId,
    number,
    content,
  ]);
}

/** The file is there whole and may be worked. @returns false when it was given up meanwhile */
export async function startTagJob(
  executor: Executor,
  { appId, jobId }: TagJobKey,
  { bytes, wakeAt }: { bytes: number; wakeAt: Date },
): Promise<boolean> {
  const started = await rows(
    executor,
    `UPDATE tag_jobs SET status = 'working', bytes = $3, wake_at = $4
     WHERE app_id = $1 AND job_id = $2 AND status = 'uploading' RETURNING 1`,
    [appId, jobId, bytes, wakeAt],
  );
  return started.length > 0;
}

/** Forgets a file, its pieces and errors. */
export async function deleteTagJob(executor: Executor, { appId, jobId }: TagJobKey): Promise<void> {
  await rows(executor, `DELETE FROM tag_jobs WHERE app_id = $1 AND job_id = $2`, [appId, jobId]);
}
