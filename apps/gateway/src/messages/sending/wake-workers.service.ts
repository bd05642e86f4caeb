import { Inject, Injectable } from '@nestjs/common';
import type { JsonObject, Lane, PushVendor } from '@postrider/domain';
import { Batcher, LOGGER, type Logger } from '@postrider/platform';
import { attemptPage, EdgeHints, type Job, JOBS_CLIENT, type JobsClient, resolveMessage } from '@postrider/queues';
import { inSlices } from './in-slices';

/** What the workers have to hear about one accepted message. */
export interface AcceptedWork {
  appId: string;
  messageId: string;
  lane: Lane;
  pages: readonly { pageId: string; vendor: PushVendor }[];
  /** Edges that hold connections of its devices. */
  edges: readonly string[];
  needsResolving: boolean;
}

/** What is written to Redis at once: those of a large request must not hold others up. */
const MOST_JOBS = 500;

/**
 * Tells the workers and the device edges about accepted messages. Best effort: the ledger holds the work, and the sweeper finds what no worker
 * heard of. What comes while Redis answers goes together in the next batch, so a busy gateway asks Redis
 * once for many messages and an idle one at once.
 */
@Injectable()
export class WakeWorkers {
  readonly #batchers = new Map<Job<JsonObject>, Batcher<JsonObject>>();

  constructor(
    @Inject(JOBS_CLIENT) private readonly jobs: JobsClient,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly edgeHints: EdgeHints,
  ) {}

  /**
   * Returns at once and never throws: an answer does not wait for Redis. Edges are told of all messages of a request before those
   * of a later one: they publish what they hear of. The workers' jobs are made in slices.
   */
  wake(accepted: readonly AcceptedWork[]): void {
    for (const { messageId, edges } of accepted) if (edges.length > 0) this.edgeHints.tell(edges, messageId);
    void inSlices(accepted, ({ appId, messageId, lane, pages, needsResolving }) => {
      for (const { pageId, vendor } of pages) this.#add(attemptPage[vendor], { appId, messageId, pageId, lane });
      if (needsResolving) this.#add(resolveMessage, { appId, messageId });
    });
  }

  #add<Payload extends JsonObject>(definition: Job<Payload>, payload: Payload): void {
    const job = definition as unknown as Job<JsonObject>;
    let batcher = this.#batchers.get(job);
    if (!batcher) this.#batchers.set(job, (batcher = this.#createBatcher(job)));
    batcher.offer(payload);
  }

  #createBatcher(job: Job<JsonObject>): Batcher<JsonObject> {
    return new Batcher({
      maxItems: MOST_JOBS,
      work: async (payloads) => {
        try {
          await this.jobs.enqueue(job, payloads);
        } catch (error) {
          const reason = error instanceof Error ? error.message : String(error);
          this.logger.warn({ queue: job.queue, jobs: payloads.length, reason }, 'message.not-enqueued');
        }
      },
    });
  }
}
