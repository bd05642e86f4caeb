import { Inject, Injectable } from '@nestjs/common';
import type { Clock, Lane, PushVendor } from '@postrider/domain';
import { RoutesRepository } from '@postrider/persistence';
import { CLOCK, LOGGER, type Logger } from '@postrider/platform';
import { type AttemptPagePayload, JOBS_CLIENT, type JobsClient, pageJob } from '@postrider/queues';

const PAGES_A_STEP = 1_000;
const LANES: readonly Lane[] = ['transactional', 'campaign'];

/** Makes the pages that wait for a held route due at once, and enqueues them. It is safe to repeat. */
@Injectable()
export class ReleaseHeldPages {
  constructor(
    private readonly routes: RoutesRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(JOBS_CLIENT) private readonly jobs: JobsClient,
  ) {}

  /** @returns the number of pages that waited */
  async release(appId: string, vendor: PushVendor): Promise<number> {
    for (let released = 0; ;) {
      const pages = await this.routes.releasePages(appId, vendor, this.clock.now(), PAGES_A_STEP);
      released += pages.length;
      const payloads = pages.map(({ messageId, pageId, lane }) => ({ appId, messageId, pageId, lane }));
      await this.#enqueue(vendor, payloads);
      if (pages.length < PAGES_A_STEP) return released;
    }
  }

  /** Enqueues the pages. Without Redis, recovery finds them. */
  async #enqueue(vendor: PushVendor, payloads: readonly AttemptPagePayload[]): Promise<void> {
    try {
      for (const lane of LANES) {
        const ofLane = payloads.filter((payload) => payload.lane === lane);
        if (ofLane.length > 0) await this.jobs.enqueue(pageJob(vendor, lane), ofLane, { isHastened: true });
      }
    } catch (error) {
      this.logger.warn({ vendor, pages: payloads.length, err: error }, 'pages.not-enqueued');
    }
  }
}
