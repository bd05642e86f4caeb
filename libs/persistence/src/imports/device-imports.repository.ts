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
 * What became of records: devices that were made, changed, found as they are, cannot be pushed to, are wrong. Those that are `incomplete`
 * are of the first three, without a value that is wrong.
 */
export interface ImportCounts {
  created: number;
  updated: number;
  unchanged: number;
  skipped: number;
  failed: number;
  incomplete: number;
}

/** What the vendor said of the tokens of records: it takes them, refuses them, gave no answer (and why, the last time). */
export interface TokenValidation {
  validTokens: number;
  invalidTokens: number;
  unansweredTokens: number;
  validationError: string | null;
}

/** A file of devices and how far it is imported. */
export interface DeviceImport extends ImportCounts, TokenValidation {
  jobId: string;
  kind: 'csv' | 'ndjson' | 'json';
  /** How its records are read. */
  options: JsonObject;
  status: FileJobStatus;
  /** Why it failed. */
  reason: string | null;
  /** The names of a CSV file's columns; null until its first record was read. */
  columns: string[] | null;
  /** Size of the file, and how much of it is worked. */
  bytes: number;
  position: number;
  /** Lines that are worked; of a document, elements. */
  lines: number;
  createdAt: Date;
  finishedAt: Date | null;
}

/** What a stretch of a file came to. */
export interface DeviceImportStep extends ImportCounts, TokenValidation {
  position: number;
  lines: number;
  errors: readonly LineError[];
  columns: readonly string[] | null;
  isLast: boolean;
  /** Why the file ends here, if it cannot be read on. */
  failure: string | null;
  now: Date;
  /** When recovery should look at the file: it is forsaken by then, or was kept long enough. */
  wakeAt: Date;
}

const COLUMNS = sql`job_id AS "jobId", kind, options, status, reason, columns, bytes::float8 AS bytes,
  position::float8 AS position, lines::float8 AS lines, created::float8 AS created, updated::float8 AS updated,
  unchanged::float8 AS unchanged, skipped::float8 AS skipped, failed::float8 AS failed,
  incomplete::float8 AS incomplete, valid_tokens::float8 AS "validTokens",
  invalid_tokens::float8 AS "invalidTokens", unanswered_tokens::float8 AS "unansweredTokens",
  validation_error AS "validationError", created_at AS "createdAt", finished_at AS "finishedAt"`;

/** Files of devices: their pieces, how far each is imported, and the lines that are wrong. */
@Injectable()
export class DeviceImportsRepository extends FileJobsRepository<DeviceImport> {
  protected readonly columns = COLUMNS;

  constructor(@Inject(DATABASE) database: Database) {
    const tables = { jobs: 'device_imports', chunks: 'device_import_chunks', errors: 'device_import_errors' };
    super(database, tables, null);
  }

  /** Begins a file. @param job `giveUpAt`: when it is taken for broken off, should it not be there whole by then */
  async insert(
    { appId, jobId }: FileJobKey,
    job: { kind: DeviceImport['kind']; options: object; createdAt: Date; giveUpAt: Date },
  ): Promise<void> {
    await rows(
      this.database,
      sql`INSERT INTO device_imports (app_id, job_id, kind, options, created_at, wake_at)
          VALUES (${appId}, ${jobId}, ${job.kind}, ${JSON.stringify(job.options)}, ${job.createdAt}, ${job.giveUpAt})`,
    );
  }

  /**
   * Locks a file until the transaction ends, if it stands at `position` once nobody else holds it: then the stretch behind it is the
   * caller's.
   *
   * @returns how many of its lines are wrong or incomplete; null when somebody else has worked the stretch, nobody should any more, or the
   *   one before it is not written
   */
  async hold(executor: Executor, { appId, jobId }: FileJobKey, position: number): Promise<number | null> {
    // Compared here: PostgreSQL waits only for a row that fits before it waits.
    const [job] = await rows<{ status: FileJobStatus; position: number; told: number }>(
      executor,
      sql`SELECT status, position::float8 AS position, (failed + incomplete)::float8 AS told FROM device_imports
          WHERE app_id = ${appId} AND job_id = ${jobId} FOR NO KEY UPDATE`,
    );
    return job?.status === 'working' && job.position === position ? job.told : null;
  }

  /** Moves a file that `hold` holds on. What is worked of it is thrown away. */
  async advance(executor: Executor, key: FileJobKey, { errors, ...step }: DeviceImportStep): Promise<void> {
    const failure = parameter(step.failure, 'text');
    const hasEnded = step.isLast || step.failure !== null;
    const status = step.failure !== null ? 'failed' : step.isLast ? 'done' : 'working';
    await rows(
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
          WHERE app_id = ${key.appId} AND job_id = ${key.jobId}`,
    );
    await this.insertErrors(executor, key, errors);
    await this.deleteChunks(executor, key, hasEnded ? null : Math.floor(step.position / FILE_CHUNK_BYTES));
  }
}
