import { Inject, Injectable } from '@nestjs/common';
import { type Database, DATABASE, type Executor, rows } from '../database/executor';
import { inSnapshot } from '../database/snapshot';
import { parameter, sql } from '../sql';

/** What a file of tags is written in. */
export type TagFileFormat = 'csv' | 'ndjson';

/** What a line does with its tag, where it does not say so itself. */
export type TagOperation = 'add' | 'remove';

/** `uploading`: the file is on its way; `working`: it is there; `failed`: nothing more will come of it. */
export type TagJobStatus = 'uploading' | 'working' | 'done' | 'failed';

/** Names a file of tags. */
export interface TagJobKey {
  appId: string;
  jobId: string;
}

/** A file that somebody should see to. */
export type DueTagJob = TagJobKey & { status: TagJobStatus };

/** A file of tags and how far it is worked. */
export interface TagJob {
  jobId: string;
  format: TagFileFormat;
  operation: TagOperation;
  status: TagJobStatus;
  /** Why it failed. */
  reason: string | null;
  /** What the columns of a CSV file hold; null until its first line was read. */
  columns: string[] | null;
  /** Size of the file, and how much of it is worked. */
  bytes: number;
  position: number;
  /** Lines read, and those of them that were refused. */
  lines: number;
  failedLines: number;
  usersChanged: number;
  devicesChanged: number;
  unknownUsers: number;
  createdAt: Date;
  finishedAt: Date | null;
}

/** A line that was refused, and why. */
export interface TagLineError {
  line: number;
  message: string;
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

/** Bytes of every piece of a file but the last: where a byte stands says which piece holds it. */
export const TAG_CHUNK_BYTES = 262_144;

/** How many refused lines of a file are told one by one. */
const MOST_ERRORS = 1_000;

/** The select list that gives a `TagJob`; sizes fit a double. */
const TAG_JOB_COLUMNS = sql`job_id AS "jobId", format, operation, status, reason, columns, bytes::float8 AS bytes,
  position::float8 AS position, lines::float8 AS lines, failed_lines::float8 AS "failedLines",
  users_changed::float8 AS "usersChanged", devices_changed::float8 AS "devicesChanged",
  unknown_users::float8 AS "unknownUsers", created_at AS "createdAt", finished_at AS "finishedAt"`;

/** Files of tags: their pieces, how far each is worked, and the lines that were refused. */
@Injectable()
export class TagJobsRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** Begins a file. @param job `giveUpAt`: when it is taken for broken off, should it not be there whole by then */
  async insert(
    { appId, jobId }: TagJobKey,
    job: { format: TagFileFormat; operation: TagOperation; createdAt: Date; giveUpAt: Date },
  ): Promise<void> {
    await rows(
      this.database,
      sql`INSERT INTO tag_jobs (app_id, job_id, format, operation, created_at, wake_at)
          VALUES (${appId}, ${jobId}, ${job.format}, ${job.operation}, ${job.createdAt}, ${job.giveUpAt})`,
    );
  }

  /** Keeps one piece of a file. */
  async insertChunk({ appId, jobId }: TagJobKey, number: number, content: Buffer): Promise<void> {
    await rows(
      this.database,
      sql`INSERT INTO tag_job_chunks (app_id, job_id, number, content) VALUES (${appId}, ${jobId}, ${number}, ${content})`,
    );
  }

  /** The file is there whole and may be worked. @returns false when it was given up meanwhile */
  async start({ appId, jobId }: TagJobKey, { bytes, wakeAt }: { bytes: number; wakeAt: Date }): Promise<boolean> {
    const started = await rows(
      this.database,
      sql`UPDATE tag_jobs SET status = 'working', bytes = ${bytes}, wake_at = ${wakeAt}
          WHERE app_id = ${appId} AND job_id = ${jobId} AND status = 'uploading' RETURNING 1`,
    );
    return started.length > 0;
  }

  /** Deletes a file with its pieces and errors. Safe to repeat. */
  async delete({ appId, jobId }: TagJobKey): Promise<void> {
    await rows(this.database, sql`DELETE FROM tag_jobs WHERE app_id = ${appId} AND job_id = ${jobId}`);
  }

  /** The file, or null. */
  async find(key: TagJobKey): Promise<TagJob | null> {
    return findJob(this.database, key);
  }

  /** The file, and its refused lines in their order, the first ones of many: both as they are at one moment. Null: there is none. */
  async findWithErrors(key: TagJobKey): Promise<{ job: TagJob; errors: TagLineError[] } | null> {
    return inSnapshot(this.database, async (executor) => {
      const job = await findJob(executor, key);
      if (job === null) return null;
      const errors = await rows<TagLineError>(
        executor,
        sql`SELECT line::float8 AS line, message FROM tag_job_errors
            WHERE app_id = ${key.appId} AND job_id = ${key.jobId} ORDER BY line`,
      );
      return { job, errors };
    });
  }

  /** One piece of a file; null behind the last one, and when it is worked. */
  async readChunk({ appId, jobId }: TagJobKey, number: number): Promise<Buffer | null> {
    const [found] = await rows<{ content: Buffer }>(
      this.database,
      sql`SELECT content FROM tag_job_chunks WHERE app_id = ${appId} AND job_id = ${jobId} AND number = ${number}`,
    );
    return found?.content ?? null;
  }

  /** Files that nobody gets on with, whose upload broke off, or that were kept long enough; longest due first. */
  async findDue(now: Date, limit: number): Promise<DueTagJob[]> {
    return rows<DueTagJob>(
      this.database,
      sql`SELECT app_id AS "appId", job_id AS "jobId", status FROM tag_jobs
          WHERE wake_at <= ${now} ORDER BY wake_at LIMIT ${limit}`,
    );
  }

  /** Puts off looking at a file that is still due. */
  async postpone({ appId, jobId }: TagJobKey, { now, wakeAt }: { now: Date; wakeAt: Date }): Promise<void> {
    await rows(
      this.database,
      sql`UPDATE tag_jobs SET wake_at = ${wakeAt} WHERE app_id = ${appId} AND job_id = ${jobId} AND wake_at <= ${now}`,
    );
  }

  /**
   * Locks a file until the transaction ends, if it still stands at `position`: then the stretch behind it is the caller's.
   *
   * @returns false when somebody else has worked it, or nobody should any more
   */
  async lock(executor: Executor, { appId, jobId }: TagJobKey, position: number): Promise<boolean> {
    const locked = await rows(
      executor,
      sql`SELECT 1 FROM tag_jobs
          WHERE app_id = ${appId} AND job_id = ${jobId} AND position = ${position} AND status = 'working'
          FOR NO KEY UPDATE`,
    );
    return locked.length > 0;
  }

  /** Moves a file that `lock` holds on. What is worked of it is thrown away. */
  async advance(executor: Executor, key: TagJobKey, { errors, ...step }: TagJobStep): Promise<void> {
    const isLast = parameter(step.isLast);
    await rows(
      executor,
      sql`UPDATE tag_jobs SET position = ${step.position}, lines = ${step.lines},
            failed_lines = failed_lines + ${errors.length}, users_changed = users_changed + ${step.usersChanged},
            devices_changed = devices_changed + ${step.devicesChanged},
            unknown_users = unknown_users + ${step.unknownUsers}, columns = ${step.columns}, wake_at = ${step.wakeAt},
            status = CASE WHEN ${isLast} THEN 'done' ELSE status END,
            finished_at = CASE WHEN ${isLast} THEN ${step.now}::timestamptz END
          WHERE app_id = ${key.appId} AND job_id = ${key.jobId}`,
    );
    await insertErrors(executor, key, errors);
    await deleteChunks(executor, key, step.isLast ? null : Math.floor(step.position / TAG_CHUNK_BYTES));
  }

  /** Ends a file that cannot be worked. */
  async fail(key: TagJobKey, { reason, now, wakeAt }: { reason: string; now: Date; wakeAt: Date }): Promise<void> {
    await rows(
      this.database,
      sql`UPDATE tag_jobs SET status = 'failed', reason = ${reason}, finished_at = ${now}, wake_at = ${wakeAt}
          WHERE app_id = ${key.appId} AND job_id = ${key.jobId} AND status IN ('uploading', 'working')`,
    );
    await deleteChunks(this.database, key, null);
  }
}

async function findJob(executor: Executor, { appId, jobId }: TagJobKey): Promise<TagJob | null> {
  const [found] = await rows<TagJob>(
    executor,
    sql`SELECT ${TAG_JOB_COLUMNS} FROM tag_jobs WHERE app_id = ${appId} AND job_id = ${jobId}`,
  );
  return found ?? null;
}

async function insertErrors(executor: Executor, key: TagJobKey, errors: readonly TagLineError[]): Promise<void> {
  if (errors.length === 0) return;
  const appId = parameter(key.appId);
  const jobId = parameter(key.jobId, 'uuid');
  const lines = errors.map(({ line }) => line);
  const messages = errors.map(({ message }) => message);
  await rows(
    executor,
    sql`INSERT INTO tag_job_errors (app_id, job_id, line, message)
        SELECT ${appId}, ${jobId}, error.line, error.message
        FROM unnest(${lines}::bigint[], ${messages}::text[]) WITH ORDINALITY AS error (line, message, place)
        WHERE error.place <= ${MOST_ERRORS}
          - (SELECT count(*) FROM tag_job_errors WHERE app_id = ${appId} AND job_id = ${jobId})
        ON CONFLICT DO NOTHING`,
  );
}

/** @param before the first piece that stays; null: none does */
async function deleteChunks(executor: Executor, { appId, jobId }: TagJobKey, before: number | null): Promise<void> {
  const firstKept = parameter(before, 'int');
  await rows(
    executor,
    sql`DELETE FROM tag_job_chunks
        WHERE app_id = ${appId} AND job_id = ${jobId} AND (${firstKept} IS NULL OR number < ${firstKept})`,
  );
}
