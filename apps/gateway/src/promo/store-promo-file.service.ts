import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { type Clock, DomainError, InvalidRequest } from '@postrider/domain';
import { PROMO_CHUNK_BYTES, type PromoSetKey, PromoUploadsRepository } from '@postrider/persistence';
import { CLOCK, CONFIG, type Config, describeFailure, LOGGER, type Logger, newId } from '@postrider/platform';
import { importPromoSet, JOBS_CLIENT, type JobsClient } from '@postrider/queues';
import { HttpAdapterHost } from '@nestjs/core';
import { givenUp, storeInPieces, takeUnread, uploadLease } from '../http/uploads';

/** When recovery enqueues the job again if the first one was lost. */
const UNHEARD_AFTER_MS = 5_000;
/** The number of unfinished uploads of one application: each may hold a gibibyte. */
const MOST_UNFINISHED = 64;
const RETRY_AFTER_SECONDS = 10;

/** A file that is being uploaded. */
interface PromoUpload {
  appId: string;
  /** The track id of the campaign, or `GLOBAL_TRACK_ID`. */
  trackId: string;
  content: AsyncIterable<Buffer>;
}

/** Accepts files of promo codes. They are stored as they arrive, and the promo worker reads them. */
@Injectable()
export class StorePromoFile {
  constructor(
    private readonly uploads: PromoUploadsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<Config, 'maxUploadBytes'>,
    @Inject(JOBS_CLIENT) private readonly jobs: JobsClient,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Once this returns, the file will be imported, whatever happens to Redis or to this process. If it throws, nothing
   * is stored.
   *
   * @throws InvalidRequest for an empty file, DomainError PAYLOAD_TOO_LARGE, RATE_LIMITED
   */
  async store({ appId, trackId, content }: PromoUpload): Promise<PromoSetKey> {
    const createdAt = this.clock.now();
    const set = { appId, setId: newId(createdAt) };
    const giveUpAt = uploadLease(this.clock);
    if (!(await this.uploads.begin(set, { trackId, createdAt, giveUpAt, most: MOST_UNFINISHED }))) {
      const retryAfterSeconds = RETRY_AFTER_SECONDS;
      throw new DomainError('RATE_LIMITED', 'Too many uploads are under way', { retryAfterSeconds });
    }
    try {
      const bytes = await this.#storeChunks(set, content);
      const wakeAt = new Date(this.clock.now().getTime() + UNHEARD_AFTER_MS);
      if (!(await this.uploads.startImport(set, wakeAt))) throw givenUp();
      this.logger.info({ ...set, bytes }, 'promo.uploaded');
    } catch (error) {
      await this.#forget(set);
      throw error;
    }
    this.#wakeWorker(set);
    return set;
  }

  async #storeChunks(set: PromoSetKey, content: AsyncIterable<Buffer>): Promise<number> {
    const bytes = await storeInPieces(content, {
      size: PROMO_CHUNK_BYTES,
      most: this.config.maxUploadBytes,
      clock: this.clock,
      renew: (giveUpAt) => this.uploads.renew(set, giveUpAt),
      keep: async (piece, number) => {
        if (!(await this.uploads.keepPiece(set, { number, content: piece }))) throw givenUp();
      },
    });
    if (bytes === 0) throw new InvalidRequest([{ path: 'file', message: 'line 1: the file contains no code' }]);
    return bytes;
  }

  /** Deletes what was stored of a file. Recovery deletes later what cannot be deleted now. */
  async #forget(set: PromoSetKey): Promise<void> {
    await this.uploads.delete(set).catch((error: unknown) => {
      this.logger.warn({ ...set, err: error }, 'promo.not-forgotten');
    });
  }

  #wakeWorker(set: PromoSetKey): void {
    this.jobs.enqueue(importPromoSet, [{ ...set }]).catch((error: unknown) => {
      this.logger.warn({ ...set, reason: describeFailure(error) }, 'promo.not-enqueued');
    });
  }
}

const ROUTES = ['/api/containers/updatePromoCodes/:track_id', '/api/containers/updateGlobalPromoCodes'];

/** Passes forms to the uploads of promo codes as they arrive. */
@Injectable()
export class StreamPromoFiles implements OnModuleInit {
  constructor(private readonly adapter: HttpAdapterHost) {}

  onModuleInit(): void {
    takeUnread(this.adapter, { types: ['multipart/form-data'], routes: ROUTES, isText: false });
  }
}
