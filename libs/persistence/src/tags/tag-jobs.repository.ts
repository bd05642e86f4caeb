import { Inject, Injectable } from '@nestjs/common';
import { type Database, DATABASE, type Executor, rows } from '../database/executor';
import {
  FILE_CHUNK_BYTES,
  type FileJobKey,
  FileJobsRepository,
  type FileJobStatus,
  type LineError,
} from '../file-jobs/file-jobs.repository';
import { parameter, sql } from '../sql';

/** The format of a file of tags. */
export type TagFileFormat = 'csv' | 'ndjson';

/** What a line does with its tag, unless it says so itself. */
export type TagOperation = 'add' | 'remove';

/** A file of tags and its progress. */
export interface TagJob {
  jobId: string;
  format: TagFileFormat;
  operation: TagOperation;
  status: FileJobStatus;
  /** Why it failed. */
  reason: string | null;
  /** What the columns of a CSV file hold. Null until its first line was read. */
  columns: string[] | null;
  /** The size of the file, and how much of it is processed. */
  bytes: number;
  position: number;
  /** Lines read, and how many of them were refused. */
  lines: number;
  failedLines: number;
  usersChanged: number;
  devicesChanged: number;
  unknownUsers: number;
  createdAt: Date;
  finishedAt: Date | null;
}

/** The result of one step through a file. */
interface TagJobStep {
  position: number;
  lines: number;
  usersChanged: number;
  devicesChanged: number;
  unknownUsers: number;
  errors: readonly LineError[];
  columns: readonly string[] | null;
  isLast: boolean;
  now: Date;
  /** When recovery should handle the file: it is abandoned by then, or was kept long enough. */
  wakeAt: Date;
}

/** How many refused lines of a file are listed. */
const MOST_ERRORS = 1_000;

/** The select list that gives a `TagJob`. Sizes fit into a double. */
const TAG_JOB_COLUMNS = sql`job_id AS "jobId", format, operation, status, reason, columns, bytes::float8 AS bytes,
  position::float8 AS position, lines::float8 AS lines, failed_lines::float8 AS "failedLines",
  users_changed::float8 AS "usersChanged", devices_changed::float8 AS "devicesChanged",
  unknown_users::float8 AS "unknownUsers", created_at AS "createdAt", finished_at AS "finishedAt"`;

/** Files of tags: their pieces, their progress, and the refused lines. */
@Injectable()
export class TagJobsRepository extends FileJobsRepository<TagJob> {
  protected readonly columns = TAG_JOB_COLUMNS;

  constructor(@Inject(DATABASE) database: Database) {
    super(database, { jobs: 'tag_jobs', chunks: 'tag_job_chunks', errors: 'tag_job_errors' }, MOST_ERRORS);
  }

  /** Begins a file. @param job `giveUpAt`: when its upload counts as cut off, unless it is renewed or complete by then */
  async insert(
    { appId, jobId }: FileJobKey,
    job: { format: TagFileFormat; operation: TagOperation; createdAt: Date; giveUpAt: Date },
  ): Promise<void> {
    await rows(
      this.database,
      sql`INSERT INTO tag_jobs (app_id, job_id, format, operation, created_at, wake_at)
          VALUES (${appId}, ${jobId}, ${job.format}, ${job.operation}, ${job.createdAt}, ${job.giveUpAt})`,
    );
  }

  /** Moves a file forward that `lock` holds. Its processed pieces are deleted. */
  async advance(executor: Executor, key: FileJobKey, { errors, ...step }: TagJobStep): Promise<void> {
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
    await this.insertErrors(executor, key, errors);
    await this.deleteChunks(executor, key, step.isLast ? null : Math.floor(step.position / FILE_CHUNK_BYTES));
  }
}
