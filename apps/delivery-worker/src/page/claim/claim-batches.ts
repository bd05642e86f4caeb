import { type Clock } from '@postrider/domain';
import { type ClaimedPage, isDatabaseUnavailable, type PageKey, type PagesRepository } from '@postrider/persistence';
import { Batcher, type Config } from '@postrider/platform';
import type { LeaseKeeper } from './lease-keeper';

/** So many pages of one device each are claimed within some milliseconds. */
const MOST_PAGES = 64;

/**
 * What a common claim says of a page: it is this worker's; nobody has to come back for it (`over`); or it has to be asked for alone
 * (`ask`): somebody has it in hand, it is not its time, or something steers it.
 */
export type BatchedClaim = ClaimedPage | 'over' | 'ask';

/**
 * Claims pages that are due at the same moment with one statement: those of single sends hold one device each, and the statement
 * costs more than the page. One runs at a time: what comes meanwhile goes into the next, and an idle worker does not wait. Each page
 * has its own fence, and one that PostgreSQL refuses fails alone.
 */
export class ClaimBatches {
  readonly #batcher: Batcher<PageKey, BatchedClaim>;

  constructor(
    private readonly pages: PagesRepository,
    private readonly config: Pick<Config, 'instanceId'>,
    private readonly clock: Clock,
    private readonly leases: LeaseKeeper,
  ) {
    this.#batcher = new Batcher({
      work: (keys) => this.#claim(keys),
      maxItems: MOST_PAGES,
      // Of a lost connection nobody knows whether the pages were claimed.
      splitsOn: (error) => !isDatabaseUnavailable(error),
    });
  }

  claim(page: PageKey): Promise<BatchedClaim> {
    return this.#batcher.add(page);
  }

  async #claim(keys: readonly PageKey[]): Promise<BatchedClaim[]> {
    const claim = {
      leasedBy: this.config.instanceId,
      now: this.clock.now(),
      leaseUntil: this.leases.leaseUntil(),
    };
    const claimed = await this.pages.claimMany(keys, claim);
    const left = keys.filter((_, place) => claimed[place] === null);
    const open = left.length === 0 ? new Set<number>() : await this.pages.findOpen(left);
    const openKeys = new Set(left.filter((_, place) => open.has(place)));
    return claimed.map((page, place) => page ?? (openKeys.has(keys[place] as PageKey) ? 'ask' : 'over'));
  }
}
