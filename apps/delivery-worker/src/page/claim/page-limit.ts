import type { Config } from '@postrider/platform';

/**
 * A campaign's job that waited this long for a place makes room for other jobs, unless its turn is near: its route is
 * slow.
 */
const CAMPAIGN_WAITS_MS = 1_500;
/**
 * A job whose turn comes within this time continues to wait. The time is longer than `AWAY_MS`, so that a route does
 * not run out of pages while jobs are away.
 */
const NEAR_MS = 1_500;
/** How long a job that made room is away. */
export const AWAY_MS = 1_000;
/** How often a job that continues to wait checks if its turn is still near. */
const LOOK_AGAIN_MS = 500;
/** The share of the last pause in the average of the pauses between two pages. */
const SHARE_OF_LAST = 0.25;
/**
 * The most small pages at once: enough that the round trips of claiming and recording do not add up, and so few that a
 * worker that dies leaves few pages behind.
 */
export const SMALL_PAGES_AT_ONCE = 256;

/** A page that waits for a place. */
type Waiting = () => void;

/** The places of one name, and how fast they become free. */
class Places {
  taken = 0;
  readonly waiting: Waiting[] = [];
  #averagePauseMs = 0;
  #freedAt = performance.now();

  /** Notes that a place became free. */
  freed(): void {
    const now = performance.now();
    this.#averagePauseMs += (now - this.#freedAt - this.#averagePauseMs) * SHARE_OF_LAST;
    this.#freedAt = now;
  }

  /** True if a page that waits will probably have its place soon. */
  isNear(waiting: Waiting): boolean {
    // While nothing becomes free, the pause grows.
    const pauseMs = Math.max(this.#averagePauseMs, performance.now() - this.#freedAt);
    return (this.waiting.indexOf(waiting) + 1) * pauseMs <= NEAR_MS;
  }
}

/** Limits how many pages a worker processes at a time, by route or by vendor. */
export class PageLimit {
  readonly #places = new Map<string, Places>();

  /**
   * @param atOnce pages of one name in hand at a time
   * @param waitsMs how long a page waits for a place that it will not have soon; undefined: as long as it takes
   */
  constructor(
    private readonly atOnce: number,
    private readonly waitsMs?: number,
  ) {}

  /** Waits for a place. @returns true if it got one, which the caller must release */
  acquire(name: string): Promise<boolean> {
    const places = this.#placesOf(name);
    if (places.taken < this.atOnce) {
      places.taken += 1;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const go = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      const lookAgain = (): void => {
        if (places.isNear(go)) {
          timer = setTimeout(lookAgain, LOOK_AGAIN_MS).unref();
          return;
        }
        places.waiting.splice(places.waiting.indexOf(go), 1);
        resolve(false);
      };
      places.waiting.push(go);
      if (this.waitsMs !== undefined) timer = setTimeout(lookAgain, this.waitsMs).unref();
    });
  }

  /** Gives the place to the page that has waited longest. */
  release(name: string): void {
    const places = this.#placesOf(name);
    places.freed();
    const next = places.waiting.shift();
    if (next !== undefined) {
      next();
      return;
    }
    places.taken -= 1;
    if (places.taken === 0) this.#places.delete(name);
  }

  #placesOf(name: string): Places {
    let places = this.#places.get(name);
    if (places === undefined) this.#places.set(name, (places = new Places()));
    return places;
  }
}

type Sizes = Pick<Config, 'deliveryConcurrency' | 'pageSize'>;

/** Enough small pages of named users at a time that their round trips do not add up. */
const JOBS_AT_LEAST = 64;

/**
 * Returns how many jobs of a queue a worker takes at a time. Jobs of campaigns wait for a place before they claim a
 * page.
 */
export function jobsAtOnce(sizes: Sizes): number {
  return Math.max(JOBS_AT_LEAST, 4 * campaignPagesAtOnce(sizes));
}

/**
 * Returns how many campaign pages of a route a worker has in hand: twice what fills its calls in flight, and one that
 * is being claimed or recorded.
 */
function campaignPagesAtOnce({ deliveryConcurrency, pageSize }: Sizes): number {
  return 2 * Math.ceil(deliveryConcurrency / pageSize) + 1;
}

/**
 * Returns the limit of a route's campaign pages: enough to keep its calls busy while the next page is claimed, and no
 * more. A million devices pass through in small portions, and their pages are claimed just before they are sent.
 */
export function campaignPageLimit(sizes: Sizes): PageLimit {
  return new PageLimit(campaignPagesAtOnce(sizes), CAMPAIGN_WAITS_MS);
}

/** Returns the limit of a vendor's pages of named users: the jobs that a worker takes may carry more of them. */
export function smallPageLimit(): PageLimit {
  return new PageLimit(SMALL_PAGES_AT_ONCE);
}
