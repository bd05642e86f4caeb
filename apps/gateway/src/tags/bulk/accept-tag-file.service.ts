import type { Readable } from 'node:stream';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Clock } from '@postrider/domain';
import { type TagFileFormat, type FileJobKey, TagJobsRepository, type TagOperation } from '@postrider/persistence';
import { CLOCK, CONFIG, type Config, describeFailure, LOGGER, type Logger, newId } from '@postrider/platform';
import { editTags, JOBS_CLIENT, type JobsClient } from '@postrider/queues';
import { bytesOf, keepFile, takeUnread, uploadLease } from '../../http/uploads';

/** The media types of a file, and the formats in which they are read. */
export const TAG_FILE_TYPES: Readonly<Record<string, TagFileFormat>> = {
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
  'application/ndjson': 'ndjson',
  'application/jsonl': 'ndjson',
};

const ROUTE = '/api/installations/bulk/tags';

/** Passes files of tags to their route as they arrive. */
@Injectable()
export class StreamFiles implements OnModuleInit {
  constructor(private readonly adapter: HttpAdapterHost) {}

  onModuleInit(): void {
    takeUnread(this.adapter, { types: Object.keys(TAG_FILE_TYPES), routes: [ROUTE], isText: true });
  }
}

/** A file that is being uploaded. */
interface TagUpload {
  appId: string;
  format: TagFileFormat;
  operation: TagOperation;
  content: Readable;
}

/** Accepts files of tags. They are stored as they arrive, and the audience worker reads them. */
@Injectable()
export class AcceptTagFile {
  constructor(
    private readonly tagJobs: TagJobsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(JOBS_CLIENT) private readonly jobs: JobsClient,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Once this returns, the file will be processed, whatever happens to Redis or to this process. If it throws, nothing
   * is stored.
   *
   * @returns the id for reading the progress
   * @throws InvalidRequest for an empty file, DomainError PAYLOAD_TOO_LARGE
   */
  async accept({ appId, format, operation, content }: TagUpload): Promise<string> {
    const createdAt = this.clock.now();
    const job = { appId, jobId: newId(createdAt) };
    const giveUpAt = uploadLease(this.clock);
    await this.tagJobs.insert(job, { format, operation, createdAt, giveUpAt });
    const bytes = await keepFile(bytesOf(content), {
      files: this.tagJobs,
      key: job,
      most: this.config.maxUploadBytes,
      clock: this.clock,
      onKept: (error) => this.logger.warn({ ...job, err: error }, 'tags.not-forgotten'),
    });
    this.logger.info({ ...job, bytes, format }, 'tags.accepted');
    this.#wakeWorker(job);
    return job.jobId;
  }

  #wakeWorker(job: FileJobKey): void {
    this.jobs.enqueue(editTags, [{ ...job }]).catch((error: unknown) => {
      this.logger.warn({ ...job, reason: describeFailure(error) }, 'tags.not-enqueued');
    });
  }
}
