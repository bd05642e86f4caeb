import { Inject, Injectable } from '@nestjs/common';
import {
  columnsAsSpelled,
  columnsOf,
  cutList,
  type ImportErrorResponse,
  type ImportMapping,
  type ImportResponse,
  type ImportsQuery,
  type ImportsResponse,
  type ImportSummaryResponse,
  makeCursor,
} from '@postrider/contracts';
import { type Clock, DAY_MS, DomainError, type ImportFormat, isUuid, unreadColumns } from '@postrider/domain';
import { type DeviceImport, DeviceImportsRepository, type FileJobKey, type LineError } from '@postrider/persistence';
import { CLOCK, CONFIG, type GatewayConfig } from '@postrider/platform';
import { readParts } from '../http/read-parts';

/** The number of bad lines that are shown with a job, and that one read of the full list returns. */
const FIRST_ERRORS = 100;
const ERRORS_AT_ONCE = 5_000;

/** Shows the progress of imports, and cancels them. */
@Injectable()
export class Imports {
  constructor(
    private readonly files: DeviceImportsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: GatewayConfig,
  ) {}

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
    const parts = readParts({
      first: -1,
      limit: ERRORS_AT_ONCE,
      read: (afterLine, limit) => this.files.listErrors(key, { afterLine, limit }),
      placeOf: ({ line }) => line,
    });
    for await (const errors of parts) {
      yield errors.map((error) => `${JSON.stringify(showError(job, error))}\n`).join('');
    }
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
export function unreadColumnsOf({
  kind,
  columns,
  options,
}: Pick<DeviceImport, 'kind' | 'columns' | 'options'>): string[] {
  if (kind !== 'csv' || columns === null || options.hasHeader !== true) return [];
  const format = options.format as ImportFormat;
  const mapped = new Set(columnsOf((options.mapping ?? {}) as unknown as ImportMapping));
  const spelled = columnsAsSpelled(format, columns);
  const read = new Set(columns.filter((column, at) => mapped.has(column) || mapped.has(spelled[at] as string)));
  return unreadColumns(format, columns).filter((column) => !read.has(column));
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
