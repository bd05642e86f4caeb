import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import type { PushVendor } from '@postrider/domain';
import type { PageKey } from '@postrider/persistence';
import { CONFIG, type Config } from '@postrider/platform';
import type { PageEnd } from '../run/page-run';
import { AWAY_MS, campaignPageLimit, type PageLimit, smallPageLimit } from './page-limit';
import { SlowPages } from './slow-pages';

/** Tries a page. @returns how it ended, or null when nothing is left to claim */
type Attempt = () => Promise<PageEnd | null>;

/**
 * The pages that a worker has in hand. A page is tried when there is a place for it; if its job is to make room for others
 * instead, the answer says when it asks again.
 */
@Injectable()
export class PagesInHand implements BeforeApplicationShutdown {
  /** By route. */
  readonly #campaigns: PageLimit;
  /** Of named users, by vendor. */
  readonly #small = smallPageLimit();

  constructor(
    @Inject(CONFIG) sizes: Pick<Config, 'deliveryConcurrency' | 'pageSize'>,
    private readonly slow: SlowPages,
  ) {
    this.#campaigns = campaignPageLimit(sizes);
  }

  /** Pages that go on without a job are ended as those of jobs are. */
  beforeApplicationShutdown(): Promise<void> {
    return this.slow.allEnded();
  }

  /** Tries a page of a campaign. */
  async ofCampaign(vendor: PushVendor, page: PageKey, attempt: Attempt): Promise<PageEnd | null> {
    const route = routeOf(vendor, page);
    if (!(await this.#campaigns.acquire(route))) return { kind: 'waits', delayMs: AWAY_MS };
    try {
      return await attempt();
    } finally {
      this.#campaigns.release(route);
    }
  }

  /** Tries a page of named users. One that takes long goes on without its job. */
  async ofNamedUsers(vendor: PushVendor, page: PageKey, attempt: Attempt): Promise<PageEnd | null> {
    if (this.slow.wasOver(page.pageId)) return null;
    const route = routeOf(vendor, page);
    const awayMs = this.slow.awayMs(route, page.pageId);
    if (awayMs > 0) return { kind: 'waits', delayMs: awayMs };
    await this.#small.acquire(vendor);
    try {
      return await this.slow.endSoon(route, page.pageId, attempt());
    } finally {
      this.#small.release(vendor);
    }
  }
}

function routeOf(vendor: PushVendor, { appId }: PageKey): string {
  return `${vendor} ${appId}`;
}
