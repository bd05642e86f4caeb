import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import {
  columnsAsSpelled,
  columnsOf,
  cutList,
  type ImportErrorResponse,
  type ImportFileKind,
  type ImportMapping,
  type ImportQuery,
  type ImportResponse,
  type ImportsQuery,
  type ImportsResponse,
  type ImportSummaryResponse,
  makeCursor,
} from '@postrider/contracts';
import {
  type Clock,
  DAY_MS,
  DomainError,
  type ImportFormat,
  InvalidRequest,
  isUuid,
  unreadColumns,
} from '@postrider/domain';
import {
  type DeviceImport,
  DeviceImportsRepository,
  type FileJobKey,
  type LineError,
  VendorCredentialsRepository,
} from '@postrider/persistence';
import { CLOCK, CONFIG, type GatewayConfig, LOGGER, type Logger, newId } from '@postrider/platform';
import { importDevices, JOBS_CLIENT, type JobsClient, validateImport } from '@postrider/queues';
import { JSON_FILE, keepFile, takeUnread, uploadLease } from '../http/uploads';
import { openFile } from './open-file';
import { recogniseFile } from './recognise-file';

/** The media types of a file, and the formats in which they are read. */
export const IMPORT_FILE_TYPES = {
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
  'application/ndjson': 'ndjson',
  'application/jsonl': 'ndjson',
  [JSON_FILE]: 'json',
} as const satisfies Record<string, ImportFileKind>;

const ROUTE = '/api/installations/import';

/** Passes files of devices to their route as they arrive. */
@Injectable()
export class StreamImports implements OnModuleInit {
  constructor(private readonly adapter: HttpAdapterHost) {}

  onModuleInit(): void {
    takeUnread(this.adapter, {
      types: Object.keys(IMPORT_FILE_TYPES),
      routes: [ROUTE],
      isText: true,
      mayBePacked: true,
    });
  }
}

/** The number of bad lines that are shown with a job, and that one read of the full list returns. */
const FIRST_ERRORS = 100;
const ERRORS_AT_ONCE = 5_000;

/**
 * To be raised if a version reads more of a file than the one before: then a file that was imported before may change
 * something when it comes again.
 */
const READING = 2;

/** How many of 64 bits no number in JavaScript has room for. */
const UNSAFE_BITS = 11n;

/** A file that is being uploaded. */
interface ImportUpload {
  appId: string;
  kind: ImportFileKind;
  query: ImportQuery;
  content: Readable;
  isPacked: boolean;
}

/** Accepts files of devices, and shows the progress of their import. The audience worker reads them. */
@Injectable()
export class Imports {
  constructor(
    private readonly files: DeviceImportsRepository,
    private readonly credentials: VendorCredentialsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: GatewayConfig,
    @Inject(JOBS_CLIENT) private readonly jobs: JobsClient,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Stores a file and enqueues its import. Once this returns, the file will be imported, whatever happens to Redis or
   * to this process. If it throws, nothing is stored.
   *
   * @returns the id for reading the progress
   * @throws InvalidRequest for a file that is empty, cannot be read or has no known format, or that cannot be
   * validated; DomainError PAYLOAD_TOO_LARGE
   */
  async accept({ appId, kind, query, content: sent, isPacked }: ImportUpload): Promise<string> {
    await this.#refuseBadValidation(appId, query);
    const most = this.config.maxImportBytes;
    const file = await openFile(sent, { isPacked, most });
    const { options, content } = await recogniseFile(kind, query, file);
    const createdAt = this.clock.now();
    const key = { appId, jobId: newId(createdAt) };
    const giveUpAt = uploadLease(this.clock);
    await this.files.insert(key, { name: query.name ?? null, kind, options, createdAt, giveUpAt });
    const bytes = await keepFile(this.#identified(content, key, { kind, options }), {
      files: this.files,
      key,
      most,
      clock: this.clock,
      onKept: (error) => this.logger.warn({ ...key, err: error }, 'import.not-forgotten'),
    });
    this.logger.info({ ...key, bytes, kind, format: options.format }, 'import.accepted');
    this.#wakeWorker(key, options.validationRate === null ? importDevices : validateImport);
    return key.jobId;
  }

  /** Passes a file on, and at its end says what it is recognised by if it is sent again. */
  async *#identified(
    content: AsyncIterable<Buffer>,
    key: FileJobKey,
    { kind, options }: Pick<Awaited<ReturnType<typeof recogniseFile>>, 'options'> & { kind: ImportFileKind },
  ): AsyncGenerator<Buffer, void> {
    // How fast tokens are validated changes nothing in what is read.
    const reading = JSON.stringify([READING, kind, { ...options, validationRate: null }]);
    const digest = createHash('sha256').update(reading);
    for await (const piece of content) {
      digest.update(piece);
      yield piece;
    }
    await this.files.identify(key, Number(digest.digest().readBigUInt64BE() >> UNSAFE_BITS));
  }

  /** Lists the imports of an application, newest first. */
  async list(appId: string, { cursor, limit }: ImportsQuery): Promise<ImportsResponse> {
    const found = await this.files.list(appId, cursor ?? null, limit + 1);
    const { entries, nextCursor } = cutList(found, limit, ({ jobId }) => makeCursor(jobId));
    return { imports: entries.map(summaryOf), nextCursor };
  }

  /** @throws DomainError NOT_FOUND */
  async find(appId: string, jobId: string): Promise<ImportResponse> {
    const found = isUuid(jobId) ? await this.files.findWithErrors({ appId, jobId }, FIRST_ERRORS) : null;
    if (!found) throw unknownJob();
    return show(found.job, found.errors);
  }

  /**
   * Returns all bad lines of a file, as NDJSON.
   *
   * @throws DomainError NOT_FOUND
   */
  async errorsOf(appId: string, jobId: string): Promise<AsyncGenerator<string, void>> {
    const job = isUuid(jobId) ? await this.files.find({ appId, jobId }) : null;
    if (!job) throw unknownJob();
    return this.#writeErrors({ appId, jobId }, job);
  }

  /**
   * Ends an import. What it wrote stays. An import that has ended already does not change. @throws DomainError
   * NOT_FOUND
   */
  async cancel(appId: string, jobId: string): Promise<ImportResponse> {
    if (!isUuid(jobId)) throw unknownJob();
    const now = this.clock.now();
    const wakeAt = new Date(now.getTime() + this.config.retentionDays * DAY_MS);
    await this.files.fail({ appId, jobId }, { reason: 'cancelled', now, wakeAt });
    return this.find(appId, jobId);
  }

  async *#writeErrors(key: FileJobKey, job: DeviceImport): AsyncGenerator<string, void> {
    for (let afterLine = -1; ;) {
      const errors = await this.files.listErrors(key, { afterLine, limit: ERRORS_AT_ONCE });
      if (errors.length > 0) yield errors.map((error) => `${JSON.stringify(showError(job, error))}\n`).join('');
      const last = errors.at(-1);
      if (last === undefined || errors.length < ERRORS_AT_ONCE) return;
      afterLine = last.line;
    }
  }

  async #refuseBadValidation(appId: string, { validate, validationRate }: ImportQuery): Promise<void> {
    if (validate !== true) {
      if (validationRate === undefined) return;
      throw new InvalidRequest([{ path: 'validationRate', message: 'needs validate=true' }]);
    }
    if ((await this.credentials.find(appId, 'fcm')) !== null) return;
    throw new InvalidRequest([{ path: 'validate', message: 'needs credentials of fcm, and the application has none' }]);
  }

  #wakeWorker(key: FileJobKey, job: typeof importDevices): void {
    this.jobs.enqueue(job, [{ ...key }]).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      this.logger.warn({ ...key, reason }, 'import.not-enqueued');
    });
  }
}

function show(job: DeviceImport, errors: readonly LineError[]): ImportResponse {
  return { ...summaryOf(job), errors: errors.map((error) => showError(job, error)) };
}

function summaryOf(job: DeviceImport): ImportSummaryResponse {
  const { jobId, name, status, reason, bytes, lines, created, updated, unchanged, skipped, failed, incomplete } = job;
  return {
    jobId,
    name,
    status,
    reason,
    format: job.options.format as string,
    bytes,
    bytesWorked: job.position,
    lines,
    created,
    updated,
    unchanged,
    skipped,
    failed,
    incomplete,
    missingColumns: missingColumnsOf(job),
    unreadColumns: unreadColumnsOf(job),
    validation: validationOf(job),
    startedAt: job.createdAt.toISOString(),
    finishedAt: job.finishedAt?.toISOString() ?? null,
  };
}

/** The columns of the mapping that no record has so far. A CSV file whose header lacks one was refused. */
function missingColumnsOf({ kind, columns, options }: DeviceImport): string[] {
  const mapping = options.mapping as unknown as ImportMapping | null;
  const isChecked = kind === 'csv' && options.hasHeader === true;
  if (columns === null || mapping === null || isChecked) return [];
  return [...new Set(columnsOf(mapping))].filter((column) => !columns.includes(column));
}

/** The columns of a CSV file that neither its format nor the mapping has. Empty until its header was read. */
function unreadColumnsOf({ kind, columns, options }: DeviceImport): string[] {
  if (kind !== 'csv' || columns === null || options.hasHeader !== true) return [];
  const format = options.format as ImportFormat;
  const mapped = new Set(columnsOf((options.mapping ?? {}) as unknown as ImportMapping));
  const spelled = columnsAsSpelled(format, columns);
  const isMapped = (column: string): boolean =>
    mapped.has(column) || mapped.has(spelled[columns.indexOf(column)] ?? '');
  return unreadColumns(format, columns).filter((column) => !isMapped(column));
}

function validationOf(job: DeviceImport): ImportResponse['validation'] {
  if (typeof job.options.validationRate !== 'number') return null;
  const { validTokens: valid, invalidTokens: invalid, unansweredTokens: unanswered, validationError: lastError } = job;
  return { valid, invalid, unanswered, lastError };
}

function showError({ kind }: DeviceImport, { line, message }: LineError): ImportErrorResponse {
  return kind === 'json' ? { index: line, message } : { line, message };
}

function unknownJob(): DomainError {
  return new DomainError('NOT_FOUND', 'There is no such job');
}
