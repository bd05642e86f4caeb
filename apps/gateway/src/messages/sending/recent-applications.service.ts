import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { type Application, ApplicationsRepository, type Executor } from '@postrider/persistence';
import { CLOCK, createExpiringCache } from '@postrider/platform';
import type { LRUCache } from 'lru-cache';

/**
 * How long an application is remembered. Its texts and quiet hours change rarely, and the delivery worker looks again at
 * what is sent after a change.
 */
const REMEMBERED_MS = 4_000;
const KNOWN_APPLICATIONS = 5_000;

/** Applications as they were a few seconds ago at the earliest: not every send reads its own. */
@Injectable()
export class RecentApplications {
  readonly #remembered: LRUCache<string, Application>;

  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly applications: ApplicationsRepository,
  ) {
    this.#remembered = createExpiringCache(clock, KNOWN_APPLICATIONS, REMEMBERED_MS);
  }

  /** Finds an application, in the cache or with `executor`. An unknown one (null) is not cached. */
  async find(executor: Executor, appId: string): Promise<Application | null> {
    const known = this.#remembered.get(appId);
    if (known) return known;
    const start = this.clock.steadyMs();
    const application = await this.applications.find(executor, appId);
    if (application) this.#remembered.set(appId, application, { start });
    return application;
  }
}
