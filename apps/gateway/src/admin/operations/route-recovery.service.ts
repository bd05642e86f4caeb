import { Inject, Injectable } from '@nestjs/common';
import { type Clock, type CredentialVendor, type Lane, PUSH_VENDORS, type PushVendor } from '@postrider/domain';
import { RoutesRepository } from '@postrider/persistence';
import { CLOCK, LOGGER, type Logger } from '@postrider/platform';
import { type AttemptPagePayload, JOBS_CLIENT, type JobsClient, pageJob } from '@postrider/queues';
import { Quarantine } from './quarantine.service';

const PAGES_A_STEP = 1_000;
const LANES: readonly Lane[] = ['transactional', 'campaign'];

/** Restarts held routes: their pages become due at once, and workers handle them without waiting for their time. */
@Injectable()
export class RouteRecovery {
  constructor(
    private readonly routes: RoutesRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(JOBS_CLIENT) private readonly jobs: JobsClient,
    private readonly quarantine: Quarantine,
  ) {}

  /**
   * Handles new credentials: the trouble with the former ones is deleted, the vendor's answers about tokens under them
   * are dropped, and everything that waits for the route goes on. It never throws: the credentials are stored, and
   * workers notice them anyway.
   */
  async credentialsChanged(appId: string, vendor: CredentialVendor): Promise<void> {
    try {
      await this.routes.forgetTrouble({ appId, vendor });
      await this.quarantine.release({ appId, vendor });
      await this.#release(appId, vendor);
    } catch (error) {
      this.logger.warn({ appId, vendor, err: error }, 'route.not-released');
    }
  }

  /** Makes workers try a held route again at once. @returns the number of pages that waited for it */
  async retryNow(appId: string, vendor: CredentialVendor): Promise<number> {
    await this.routes.askForRetry({ appId, vendor }, this.clock.now());
    return this.#release(appId, vendor);
  }

  async #release(appId: string, vendor: CredentialVendor): Promise<number> {
    const pushVendor = PUSH_VENDORS.find((known) => known === vendor);
    if (pushVendor === undefined) {
      await this.routes.releaseFallbacks(appId, this.clock.now());
      return 0;
    }
    for (let released = 0; ;) {
      const pages = await this.routes.releasePages(appId, pushVendor, this.clock.now(), PAGES_A_STEP);
      released += pages.length;
      const payloads = pages.map(({ messageId, pageId, lane }) => ({ appId, messageId, pageId, lane }));
      await this.#enqueue(pushVendor, payloads);
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
