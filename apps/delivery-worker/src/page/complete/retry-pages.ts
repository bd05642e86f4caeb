import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import type { RetryPage } from '@postrider/persistence';
import { CLOCK, LOGGER, type Logger, RepeatedWarning } from '@postrider/platform';
import { JOBS_CLIENT, type JobsClient, pageJob } from '@postrider/queues';
import { AFTER_DUE_MS, type PageRun, type PlannedRetry } from '../run/page-run';

/** Devices whose delays differ by less than this, or by less than this share, wait together. */
const SIMILAR_MS = 250;
const SIMILAR_SHARE = 1.5;

/**
 * Puts the devices that are tried again on few pages. Each page is due when the last of its devices is due, so no
 * device is tried earlier than its vendor allows. Devices whose call was never answered have pages of their own.
 */
export function planRetryPages(retries: readonly PlannedRetry[], now: Date, newId: () => string): RetryPage[] {
  return [true, false].flatMap((isUnanswered) =>
    similarDelays(retries.filter((retry) => retry.isUnanswered === isUnanswered)).map((group) => ({
      id: newId(),
      deviceIds: group.map(({ deviceId }) => deviceId),
      isUnanswered,
      notBefore: new Date(now.getTime() + (group.at(-1)?.delayMs ?? 0)),
    })),
  );
}

function similarDelays(retries: readonly PlannedRetry[]): PlannedRetry[][] {
  const groups: PlannedRetry[][] = [];
  let upToMs = -1;
  for (const retry of retries.toSorted((one, other) => one.delayMs - other.delayMs)) {
    if (retry.delayMs > upToMs) {
      groups.push([]);
      upToMs = Math.max(retry.delayMs * SIMILAR_SHARE, retry.delayMs + SIMILAR_MS);
    }
    groups.at(-1)?.push(retry);
  }
  return groups;
}

/** Enqueues retry pages. If Redis does not take a job, recovery makes one. */
@Injectable()
export class RetryEnqueuer {
  readonly #delayed: RepeatedWarning;

  constructor(
    @Inject(JOBS_CLIENT) private readonly jobs: JobsClient,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.#delayed = new RepeatedWarning(logger, 'pages.enqueue-delayed');
  }

  /** Enqueues the retry pages of a run, each for the time when it is due. Never rejects. */
  async enqueue({ key: { appId, messageId }, page: { vendor, lane } }: PageRun, retries: RetryPage[]): Promise<void> {
    const now = this.clock.now().getTime();
    try {
      for (const { id, notBefore } of retries) {
        const delayMs = Math.max(0, notBefore.getTime() - now) + AFTER_DUE_MS;
        await this.jobs.enqueue(pageJob(vendor, lane), [{ appId, messageId, pageId: id, lane }], { delayMs });
      }
    } catch (error) {
      this.#delayed.log({ appId, messageId, pages: retries.length, err: error });
    }
  }
}
