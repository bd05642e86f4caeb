import { type Database, type Executor, inSnapshot, rows } from '../database/executor';
import { identifier, parameter, sql, type Sql } from '../sql';
import { dueFiles } from '../due-work/due-rows';

/** `uploading`: the file is on its way; `working`: it has arrived; `failed`: it will not be processed any further. */
export type FileJobStatus = 'uploading' | 'working' | 'done' | 'failed';

/** Names an uploaded file. */
export interface FileJobKey {
  appId: string;
  jobId: string;
}

/** A file that recovery should handle. */
export type DueFileJob = FileJobKey & { status: FileJobStatus };

/** A line that was refused, and why. */
export interface LineError {
  line: number;
  message: string;
}

/** The size in bytes of every piece of a file except the last: the position of a byte tells its piece. */
export const FILE_CHUNK_BYTES = 262_144;

/** The tables of one kind of file: the files, their pieces, the refused lines. */
interface FileTables {
  jobs: string;
  chunks: string;
  errors: string;
}

/**
 * Uploaded files of one kind: their pieces, their progress, and the lines that were refused. A piece is deleted as soon
 * as it is processed. Each kind adds its counts.
 */
export abstract class FileJobsRepository<Job> {
  protected readonly jobs: Sql;
  readonly #chunks: Sql;
  readonly #errors: Sql;

  /** @param mostErrors how many refused lines of a file are kept; null: all that `advance` gets */
  protected constructor(
    protected readonly database: Database,
    tables: FileTables,
    private readonly mostErrors: number | null,
  ) {
    this.jobs = identifier(tables.jobs);
    this.#chunks = identifier(tables.chunks);
    this.#errors = identifier(tables.errors);
  }

  /** The select list that gives a `Job`. Sizes fit into a double. */
  protected abstract readonly columns: Sql;

  /** Stores one piece of a file. @returns false if the upload was given up or cancelled meanwhile, or its application was deleted */
  async insertChunk({ appId, jobId }: FileJobKey, number: number, content: Buffer): Promise<boolean> {
    const [app, job] = [parameter(appId), parameter(jobId, 'uuid')];
    const inserted = await rows(
      this.database,
      sql`WITH alive AS (
            SELECT FROM ${this.jobs} WHERE app_id = ${app} AND job_id = ${job} AND status = 'uploading' FOR KEY SHARE
          )
          INSERT INTO ${this.#chunks} (app_id, job_id, number, content)
          SELECT ${app}, ${job}, ${number}::int, ${content}::bytea FROM alive RETURNING 1`,
    );
    return inserted.length > 0;
  }

  /**
   * Says that an upload still arrives.
   *
   * @param giveUpAt when it counts as cut off, unless it is renewed or complete by then
   * @returns false if it was given up or cancelled meanwhile
   */
  async renew({ appId, jobId }: FileJobKey, giveUpAt: Date): Promise<boolean> {
    const renewed = await rows(
      this.database,
      sql`UPDATE ${this.jobs} SET wake_at = ${giveUpAt}
          WHERE app_id = ${appId} AND job_id = ${jobId} AND status = 'uploading' RETURNING 1`,
    );
    return renewed.length > 0;
  }

  /** Marks a file as complete, so that it may be processed. @returns false if it was given up meanwhile */
  async start({ appId, jobId }: FileJobKey, { bytes, wakeAt }: { bytes: number; wakeAt: Date }): Promise<boolean> {
    const started = await rows(
      this.database,
      sql`UPDATE ${this.jobs} SET status = 'working', bytes = ${bytes}, wake_at = ${wakeAt}
          WHERE app_id = ${appId} AND job_id = ${jobId} AND status = 'uploading' RETURNING 1`,
    );
    return started.length > 0;
  }

  /** Fails an upload that was not renewed in time. @returns false if it was renewed, completed or ended meanwhile */
  async giveUp(
    key: FileJobKey,
    { reason, now, wakeAt }: { reason: string; now: Date; wakeAt: Date },
  ): Promise<boolean> {
    const moment = parameter(now);
    const givenUp = await rows(
      this.database,
      sql`UPDATE ${this.jobs} SET status = 'failed', reason = ${reason}, finished_at = ${moment}, wake_at = ${wakeAt}
          WHERE app_id = ${key.appId} AND job_id = ${key.jobId} AND status = 'uploading' AND wake_at <= ${moment}
          RETURNING 1`,
    );
    if (givenUp.length > 0) await this.deleteChunks(this.database, key, null);
    return givenUp.length > 0;
  }

  /** Deletes a file with its pieces and errors. Safe to repeat. */
  async delete({ appId, jobId }: FileJobKey): Promise<void> {
    await rows(this.database, sql`DELETE FROM ${this.jobs} WHERE app_id = ${appId} AND job_id = ${jobId}`);
  }

  /** The file, or null. */
  async find(key: FileJobKey): Promise<Job | null> {
    return this.#find(this.database, key);
  }

  /** Finds the file and its first refused lines in their order, both at the same moment. Null: it does not exist. */
  async findWithErrors(
    key: FileJobKey,
    limit: number | null = this.mostErrors,
  ): Promise<{ job: Job; errors: LineError[] } | null> {
    return inSnapshot(this.database, async (executor) => {
      const job = await this.#find(executor, key);
      return job === null ? null : { job, errors: await this.#listErrors(executor, key, { afterLine: -1, limit }) };
    });
  }

  /** Lists refused lines behind a line, in their order. */
  async listErrors(key: FileJobKey, stretch: { afterLine: number; limit: number | null }): Promise<LineError[]> {
    return this.#listErrors(this.database, key, stretch);
  }

  /** Reads one piece of a file. Null behind the last one, and for a processed one. */
  async readChunk({ appId, jobId }: FileJobKey, number: number): Promise<Buffer | null> {
    const [found] = await rows<{ content: Buffer }>(
      this.database,
      sql`SELECT content FROM ${this.#chunks} WHERE app_id = ${appId} AND job_id = ${jobId} AND number = ${number}`,
    );
    return found?.content ?? null;
  }

  /** `FROM` and `WHERE` of the files that `findDue` finds. */
  due(now: Date): Sql {
    return dueFiles(this.jobs, now);
  }

  /**
   * Finds files that no worker is processing, whose upload was cut off, or that were kept long enough. The longest
   * due first.
   */
  async findDue(now: Date, limit: number): Promise<DueFileJob[]> {
    return rows<DueFileJob>(
      this.database,
      sql`SELECT app_id AS "appId", job_id AS "jobId", status ${this.due(now)}
          ORDER BY wake_at LIMIT ${limit}`,
    );
  }

  /** Puts off a file that is still due. */
  async postpone({ appId, jobId }: FileJobKey, { now, wakeAt }: { now: Date; wakeAt: Date }): Promise<void> {
    await rows(
      this.database,
      sql`UPDATE ${this.jobs} SET wake_at = ${wakeAt} WHERE app_id = ${appId} AND job_id = ${jobId} AND wake_at <= ${now}`,
    );
  }

  /**
   * Locks a file until the transaction ends, if it is still at `position`. Then the caller processes what follows.
   *
   * @returns false if another worker has processed it, or nobody should
   */
  async lock(executor: Executor, { appId, jobId }: FileJobKey, position: number): Promise<boolean> {
    const locked = await rows(
      executor,
      sql`SELECT 1 FROM ${this.jobs}
          WHERE app_id = ${appId} AND job_id = ${jobId} AND position = ${position} AND status = 'working'
          FOR NO KEY UPDATE`,
    );
    return locked.length > 0;
  }

  /** Ends a file that cannot or should not be processed. @returns false if it had ended */
  async fail(key: FileJobKey, { reason, now, wakeAt }: { reason: string; now: Date; wakeAt: Date }): Promise<boolean> {
    const failed = await rows(
      this.database,
      sql`UPDATE ${this.jobs} SET status = 'failed', reason = ${reason}, finished_at = ${now}, wake_at = ${wakeAt}
          WHERE app_id = ${key.appId} AND job_id = ${key.jobId} AND status IN ('uploading', 'working') RETURNING 1`,
    );
    if (failed.length > 0) await this.deleteChunks(this.database, key, null);
    return failed.length > 0;
  }

  /** Stores refused lines, up to the number that is listed. */
  protected async insertErrors(executor: Executor, key: FileJobKey, errors: readonly LineError[]): Promise<void> {
    if (errors.length === 0) return;
    const appId = parameter(key.appId);
    const jobId = parameter(key.jobId, 'uuid');
    const lines = errors.map(({ line }) => line);
    const messages = errors.map(({ message }) => message);
    const { mostErrors } = this;
    const isTold =
      mostErrors === null
        ? sql`true`
        : sql`error.place <= ${mostErrors} - (
            SELECT count(*) FROM ${this.#errors} WHERE app_id = ${appId} AND job_id = ${jobId}
          )`;
    await rows(
      executor,
      sql`INSERT INTO ${this.#errors} (app_id, job_id, line, message)
          SELECT ${appId}, ${jobId}, error.line, error.message
          FROM unnest(${lines}::bigint[], ${messages}::text[]) WITH ORDINALITY AS error (line, message, place)
          WHERE ${isTold}
          ON CONFLICT DO NOTHING`,
    );
  }

  /** @param before the first piece that stays; null: no piece stays */
  protected async deleteChunks(executor: Executor, { appId, jobId }: FileJobKey, before: number | null): Promise<void> {
    const firstKept = parameter(before, 'int');
    await rows(
      executor,
      sql`DELETE FROM ${this.#chunks}
          WHERE app_id = ${appId} AND job_id = ${jobId} AND (${firstKept} IS NULL OR number < ${firstKept})`,
    );
  }

  async #find(executor: Executor, { appId, jobId }: FileJobKey): Promise<Job | null> {
    const [found] = await rows<Job & object>(
      executor,
      sql`SELECT ${this.columns} FROM ${this.jobs} WHERE app_id = ${appId} AND job_id = ${jobId}`,
    );
    return found ?? null;
  }

  async #listErrors(
    executor: Executor,
    { appId, jobId }: FileJobKey,
    { afterLine, limit }: { afterLine: number; limit: number | null },
  ): Promise<LineError[]> {
    return rows<LineError>(
      executor,
      sql`SELECT line::float8 AS line, message FROM ${this.#errors}
          WHERE app_id = ${appId} AND job_id = ${jobId} AND line > ${afterLine}::bigint ORDER BY line LIMIT ${limit}`,
    );
  }
}
