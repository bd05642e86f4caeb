import { type Clock } from '@postrider/domain';
import {
  type Claim,
  type ClaimedPage,
  isDatabaseUnavailable,
  type PageKey,
  type PagesRepository,
} from '@postrider/persistence';
import { Batcher, type Config } from '@postrider/platform';
import type { PageLeases } from './page-leases';

/** Claiming this many pages of one device each takes some milliseconds. */
const MOST_PAGES = 64;
/** A statement costs more than a page in it: a busy worker claims in intervals of this length. */
const CLAIMS_APART_MS = 5;

/**
 * What a common claim returns for a page: the claimed page; or `over`: it needs no further work; or `ask`: it must be
 * claimed alone, because another worker has it, it is not due yet, or it has a rate, a limit or quiet hours.
 */
type BatchedClaim = ClaimedPage | 'over' | 'ask';

/**
 * Claims pages that are due at the same moment with one statement. Pages of single sends hold one device each, and the
 * statement costs more than the page. One statement runs at a time: pages that come meanwhile go into the next one, and
 * an idle worker does not wait. Each page has its own fence, and a page that PostgreSQL refuses fails alone.
 */
export class ClaimBatches {
  readonly #batcher: Batcher<PageKey, BatchedClaim>;

  constructor(
    private readonly pages: PagesRepository,
    private readonly config: Pick<Config, 'instanceId'>,
    private readonly clock: Clock,
    private readonly leases: PageLeases,
  ) {
    this.#batcher = new Batcher({
      work: (keys) => this.#claim(keys),
      maxItems: MOST_PAGES,
      apartMs: CLAIMS_APART_MS,
      // If the connection is lost, it is unknown whether the pages were claimed.
      splitsOn: (error) => !isDatabaseUnavailable(error),
    });
  }

  /** Claims a page in the next common statement. Rejects with the error of that statement. */
  claim(page: PageKey): Promise<BatchedClaim> {
    return this.#batcher.add(page);
  }

  async #claim(keys: readonly PageKey[]): Promise<BatchedClaim[]> {
    const leaseUntil = this.leases.leaseUntil();
    const claim = { leasedBy: this.config.instanceId, now: this.clock.now(), leaseUntil };
    return this.#claimMany(keys, claim).catch(async (error: unknown) => {
      await this.leases.claimFailed(keys, leaseUntil);
      throw error;
    });
  }

  async #claimMany(keys: readonly PageKey[], claim: Claim): Promise<BatchedClaim[]> {
    const claimed = await this.pages.claimMany(keys, claim);
    const left = keys.filter((_, place) => claimed[place] === null);
    const open = left.length === 0 ? new Set<number>() : await this.pages.findOpen(left);
    const openKeys = new Set(left.filter((_, place) => open.has(place)));
    return claimed.map((page, place) => page ?? (openKeys.has(keys[place] as PageKey) ? 'ask' : 'over'));
  }
}
