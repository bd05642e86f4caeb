import { Inject, Injectable } from '@nestjs/common';
import { type Clock, DomainError, InvalidRequest } from '@postrider/domain';
import {
  TAG_CHUNK_BYTES,
  type TagFileFormat,
  type TagJobKey,
  TagJobsRepository,
  type TagOperation,
} from '@postrider/persistence';
import { CLOCK, CONFIG, type Config, LOGGER, type Logger, newId } from '@postrider/platform';
import { editTags, JOBS_CLIENT, type JobsClient } from '@postrider/queues';
import { storeInPieces } from '../../http/uploads/store-in-pieces';

/** An upload that takes longer has broken off. */
const LONGEST_UPLOAD_MS = 3_600_000;
/** When the sweeper wakes a worker that heard nothing. */
const UNHEARD_AFTER_MS = 5_000;

/** A file on its way. */
export interface TagUpload {
  appId: string;
  format: TagFileFormat;
  operation: TagOperation;
  content: AsyncIterable<Buffer>;
}

/** Takes files of tags. They are kept as they come, and looked into by the audience worker. */
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
   * Once this returns the file is worked, whatever happens to Redis or to this process. When it throws nothing is kept.
   *
   * @returns the id to ask for progress
   * @throws InvalidRequest for an empty file, DomainError PAYLOAD_TOO_LARGE
   */
  async accept({ appId, format, operation, content }: TagUpload): Promise<string> {
    const createdAt = this.clock.now();
    const job = { appId, jobId: newId(createdAt) };
    const giveUpAt = new Date(createdAt.getTime() + LONGEST_UPLOAD_MS);
    await this.tagJobs.insert(job, { format, operation, createdAt, giveUpAt });
    try {
      const bytes = await this.#store(job, content);
      const wakeAt = new Date(this.clock.now().getTime() + UNHEARD_AFTER_MS);
      if (!(await this.tagJobs.start(job, { bytes, wakeAt }))) {
        throw new DomainError('UNAVAILABLE', 'The upload took too long');
      }
      this.logger.info({ ...job, bytes, format }, 'tags.accepted');
    } catch (error) {
      await this.#forget(job);
      throw error;
    }
    this.#wakeWorker(job);
    return job.jobId;
  }

  async #store(job: TagJobKey, content: AsyncIterable<Buffer>): Promise<number> {
    const bytes = await storeInPieces(content, {
      size: TAG_CHUNK_BYTES,
      most: this.config.maxUploadBytes,
      keep: (piece, number) => this.tagJobs.insertChunk(job, number, piece),
    });
    if (bytes === 0) throw new InvalidRequest([{ path: '', message: 'must hold at least one line' }]);
    return bytes;
  }

  /** What cannot be forgotten now the sweeper gives up later. */
  async #forget(job: TagJobKey): Promise<void> {
    await this.tagJobs.delete(job).catch((error: unknown) => {
      this.logger.warn({ ...job, err: error }, 'tags.not-forgotten');
    });
  }

  #wakeWorker(job: TagJobKey): void {
    this.jobs.enqueue(editTags, [{ ...job }]).catch((error: unknown) => {
      this.logger.warn({ ...job, reason: error instanceof Error ? error.message : String(error) }, 'tags.not-enqueued');
    });
  }
}
