import { Inject, Injectable } from '@nestjs/common';
import type { JsonObject } from '@postrider/domain';
import { type Database, DATABASE, type Executor, rows } from '../database/executor';
import {
  FILE_CHUNK_BYTES,
  type FileJobKey,
  FileJobsRepository,
  type FileJobStatus,
  type LineError,
} from '../file-jobs/file-jobs.repository';
import { parameter, sql } from '../sql';

/**
 * The numbers of records: they created a device, updated one, changed nothing, cannot be pushed to (skipped), or are
 * wrong (failed). The `incomplete` ones are among the first three, and were imported without a value that was wrong.
 */
export interface ImportCounts {
  created: number;
  updated: number;
  unchanged: number;
  skipped: number;
  failed: number;
  incomplete: number;
}

/**
 * The answers of the vendor about the tokens of records: it accepts them, refuses them, or gave no answer (and why, the
 * last time).
 */
export interface TokenValidation {
  validTokens: number;
  invalidTokens: number;
  unansweredTokens: number;
  validationError: string | null;
}

/** A file of devices, and the progress of its import. */
export interface DeviceImport extends ImportCounts, TokenValidation {
  jobId: string;
  /** The name of the file, if its sender said it. */
  name: string | null;
  kind: 'csv' | 'ndjson' | 'json';
  /** How its records are read. */
  options: JsonObject;
  /** The same for files with the same bytes that are read in the same way. Null: unknown. */
  fingerprint: number | null;
  status: FileJobStatus;
  /** Why it failed. */
  reason: string | null;
  /**
   * The names of a CSV file's columns, or their numbers if it has no header; null until its first record was read. Of
   * other files: the columns that the mapping names and that a record has; null if it has no mapping, or nothing was read.
   */
  columns: string[] | null;
  /** The size of the file, and how much of it is processed. */
  bytes: number;
  position: number;
  /** The number of processed lines; for a JSON document of elements. */
  lines: number;
  createdAt: Date;
  finishedAt: Date | null;
}

/** The result of a stretch of a file. */
interface DeviceImportStep extends ImportCounts, TokenValidation {
  position: number;
  lines: number;
  errors: readonly LineError[];
  columns: readonly string[] | null;
  isLast: boolean;
  /** Why the file cannot be read further; null: it can. */
  failure: string | null;
  now: Date;
  /** When recovery should look at the file: its worker has died, or it was kept long enough. */
  wakeAt: Date;
}

const COLUMNS = sql`job_id AS "jobId", name, kind, options, fingerprint::float8 AS fingerprint, status, reason, columns, bytes::float8 AS bytes,
  position::float8 AS position, lines::float8 AS lines, created::float8 AS created, updated::float8 AS updated,
  unchanged::float8 AS unchanged, skipped::float8 AS skipped, failed::float8 AS failed,
  incomplete::float8 AS incomplete, valid_tokens::float8 AS "validTokens",
  invalid_tokens::float8 AS "invalidTokens", unanswered_tokens::float8 AS "unansweredTokens",
  validation_error AS "validationError", created_at AS "createdAt", finished_at AS "finishedAt"`;

/** Files of devices: their pieces, their progress, and the lines that are wrong. */
@Injectable()
export class DeviceImportsRepository extends FileJobsRepository<DeviceImport> {
  protected readonly columns = COLUMNS;

  constructor(@Inject(DATABASE) database: Database) {
    const tables = { jobs: 'device_imports', chunks: 'device_import_chunks', errors: 'device_import_errors' };
    super(database, tables, null);
  }

  /** Begins a file. @param job `giveUpAt`: when its upload counts as cut off, unless it is renewed or complete by then */
  async insert(
    { appId, jobId }: FileJobKey,
    job: Pick<DeviceImport, 'name' | 'kind' | 'createdAt'> & { options: object; giveUpAt: Date },
  ): Promise<void> {
    await rows(
      this.database,
      sql`INSERT INTO device_imports (app_id, job_id, name, kind, options, created_at, wake_at)
          VALUES (${appId}, ${jobId}, ${job.name}, ${job.kind}, ${JSON.stringify(job.options)}, ${job.createdAt}, ${job.giveUpAt})`,
    );
  }

  /** Says what a file is recognised by, once all of it has arrived. */
  async identify({ appId, jobId }: FileJobKey, fingerprint: number): Promise<void> {
    await rows(
      this.database,
      sql`UPDATE device_imports SET fingerprint = ${fingerprint} WHERE app_id = ${appId} AND job_id = ${jobId}`,
    );
  }

  /** Lists files, the last one first: at most `limit` from before the file `beforeId` (null: from the last one). */
  async list(appId: string, beforeId: string | null, limit: number): Promise<DeviceImport[]> {
    const before = parameter(beforeId);
    return rows<DeviceImport>(
      this.database,
      sql`SELECT ${COLUMNS} FROM device_imports
          WHERE app_id = ${appId} AND (${before}::uuid IS NULL OR job_id < ${before})
          ORDER BY job_id DESC LIMIT ${limit}`,
    );
  }

  /**
   * Locks a file until the transaction ends. If it then stands at `position`, the caller may process the stretch that
   * begins there.
   * @returns how many of its lines are wrong or incomplete; null if the stretch is processed already, the file has
   *   ended, or the stretch before is not written
   */
  async hold(executor: Executor, { appId, jobId }: FileJobKey, position: number): Promise<number | null> {
    // The position is compared here: in the statement, PostgreSQL would compare it before it waits for the lock, and
    // not wait if it differs.
    const [job] = await rows<{ status: FileJobStatus; position: number; told: number }>(
      executor,
      sql`SELECT status, position::float8 AS position, (failed + incomplete)::float8 AS told FROM device_imports
          WHERE app_id = ${appId} AND job_id = ${jobId} FOR NO KEY UPDATE`,
    );
    return job?.status === 'working' && job.position === position ? job.told : null;
  }

  /**
   * Moves the position of a file that `hold` has locked. Deletes the pieces that are processed.
   * @returns how many devices the file has created or updated so far
   */
  async advance(executor: Executor, key: FileJobKey, { errors, ...step }: DeviceImportStep): Promise<number> {
    const failure = parameter(step.failure, 'text');
    const hasEnded = step.isLast || step.failure !== null;
    const status = step.failure !== null ? 'failed' : step.isLast ? 'done' : 'working';
    const [job] = await rows<{ changed: number }>(
      executor,
      sql`UPDATE device_imports SET position = ${step.position}, lines = ${step.lines}, created = created + ${step.created},
            updated = updated + ${step.updated}, unchanged = unchanged + ${step.unchanged},
            skipped = skipped + ${step.skipped}, failed = failed + ${step.failed},
            incomplete = incomplete + ${step.incomplete}, columns = ${step.columns},
            valid_tokens = valid_tokens + ${step.validTokens}, invalid_tokens = invalid_tokens + ${step.invalidTokens},
            unanswered_tokens = unanswered_tokens + ${step.unansweredTokens},
            validation_error = coalesce(${parameter(step.validationError, 'text')}, validation_error),
            wake_at = ${step.wakeAt}, status = ${status}, reason = ${failure},
            finished_at = ${hasEnded ? step.now : null}::timestamptz
          WHERE app_id = ${key.appId} AND job_id = ${key.jobId}
          RETURNING (created + updated)::float8 AS changed`,
    );
    await this.insertErrors(executor, key, errors);
    await this.deleteChunks(executor, key, hasEnded ? null : Math.floor(step.position / FILE_CHUNK_BYTES));
    return job?.changed ?? 0;
  }
}
