import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { ImportFileKind, ImportQuery } from '@postrider/contracts';
import { type Clock, InvalidRequest } from '@postrider/domain';
import { DeviceImportsRepository, type FileJobKey, VendorCredentialsRepository } from '@postrider/persistence';
import { CLOCK, CONFIG, describeFailure, type GatewayConfig, LOGGER, type Logger, newId } from '@postrider/platform';
import { importDevices, JOBS_CLIENT, type JobsClient, validateImport } from '@postrider/queues';
import { JSON_FILE, keepFile, takeUnread, uploadLease } from '../http/uploads';
import { openFile } from './open-file';
import { type FileOptions, recogniseFile } from './recognise-file';

/** The media types of a file, and the formats in which they are read. */
export const IMPORT_FILE_TYPES: Readonly<Record<string, ImportFileKind>> = {
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
  'application/ndjson': 'ndjson',
  'application/jsonl': 'ndjson',
  [JSON_FILE]: 'json',
};

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

/** Accepts files of devices. They are stored as they arrive, and the audience worker reads them. */
@Injectable()
export class AcceptImport {
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
    { kind, options }: { kind: ImportFileKind; options: FileOptions },
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
      this.logger.warn({ ...key, reason: describeFailure(error) }, 'import.not-enqueued');
    });
  }
}
