import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { JsonObject, Lane, PushVendor } from '@postrider/domain';
import { Batcher, describeFailure, LOGGER, type Logger, RepeatedWarning } from '@postrider/platform';
import {
  type AttemptPagePayload,
  EdgeHints,
  type Job,
  JOBS_CLIENT,
  type JobsClient,
  resolveMessage,
  sharedPageJobs,
  pageJob,
} from '@postrider/queues';
import { inSlices } from '../../http/in-slices';

/** The facts about one accepted message that the workers need. */
export interface AcceptedWork {
  appId: string;
  messageId: string;
  lane: Lane;
  /** The number of devices that it is for. */
  count: number;
  pages: readonly { pageId: string; vendor: PushVendor }[];
  /** Edges that hold connections of its devices. */
  edges: readonly string[];
  needsResolving: boolean;
}

/** If a message goes to more devices than this, each of its pages has a job of its own. */
const FEW_DEVICES = 20;

/** The most jobs that are written to Redis at once: those of a large request must not delay others. */
const MOST_JOBS = 500;
/**
 * The shortest time between two batches of jobs. A job costs Redis and the worker more than a page in it, so a busy
 * gateway collects pages.
 */
const JOBS_APART_MS = 5;
/** With a thousand messages a second and more, half as many batches take Redis and this process less time than they save. */
const BUSY = { items: 5, apartMs: 10 };

/** The payload of a job; `isShared`: it may share one job with others (pages of few devices). */
interface Wake {
  payload: JsonObject;
  isShared: boolean;
}

/**
 * Tells the workers and the device edges about accepted messages. Best effort: the ledger holds the work, and recovery
 * finds work that no worker was told about. Jobs that come while Redis answers go together in the next batch, so a busy
 * gateway asks Redis once for many messages, and an idle gateway asks at once.
 */
@Injectable()
export class WakeWorkers implements OnApplicationShutdown {
  readonly #batchers = new Map<Job<JsonObject>, Batcher<Wake>>();
  readonly #notEnqueued: RepeatedWarning;

  constructor(
    @Inject(JOBS_CLIENT) private readonly jobs: JobsClient,
    @Inject(LOGGER) logger: Logger,
    private readonly edgeHints: EdgeHints,
  ) {
    this.#notEnqueued = new RepeatedWarning(logger, 'message.not-enqueued');
  }

  /**
   * Returns at once and never throws: an answer does not wait for Redis. The edges are told of all messages of a
   * request before those of a later one, because they publish in that order. The jobs of the workers are made in
   * slices.
   */
  wake(accepted: readonly AcceptedWork[]): void {
    for (const { messageId, edges } of accepted) if (edges.length > 0) this.edgeHints.tell(edges, messageId);
    void inSlices(accepted, ({ appId, messageId, lane, count, pages, needsResolving }) => {
      const isShared = count <= FEW_DEVICES;
      for (const { pageId, vendor } of pages)
        this.#add(pageJob(vendor, lane), { appId, messageId, pageId, lane }, isShared);
      if (needsResolving) this.#add(resolveMessage, { appId, messageId }, false);
    });
  }

  /**
   * Hands over at once what waits, and resolves when Redis has it, or does not take it. When this is called, the last
   * request is answered.
   */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.#batchers.values()].map((batcher) => batcher.drain()));
  }

  #add<Payload extends JsonObject>(definition: Job<Payload>, payload: Payload, isShared: boolean): void {
    const job = definition as unknown as Job<JsonObject>;
    let batcher = this.#batchers.get(job);
    if (!batcher) this.#batchers.set(job, (batcher = this.#createBatcher(job)));
    batcher.offer({ payload, isShared });
  }

  #createBatcher(job: Job<JsonObject>): Batcher<Wake> {
    return new Batcher({
      maxItems: MOST_JOBS,
      apartMs: JOBS_APART_MS,
      busy: BUSY,
      work: async (wakes) => {
        const payloads = jobsFor(wakes);
        try {
          await this.jobs.enqueue(job, payloads);
        } catch (error) {
          this.#notEnqueued.log({ queue: job.queue, jobs: payloads.length, reason: describeFailure(error) });
        }
      },
    });
  }
}

function jobsFor(wakes: readonly Wake[]): JsonObject[] {
  const [shared, alone] = [wakes.filter(({ isShared }) => isShared), wakes.filter(({ isShared }) => !isShared)];
  const pages = shared.map(({ payload }) => payload as AttemptPagePayload);
  return [...sharedPageJobs(pages), ...alone.map(({ payload }) => payload)];
}
