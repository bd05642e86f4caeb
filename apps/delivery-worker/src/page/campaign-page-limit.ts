import type { Config } from '@postrider/platform';

/** A job that waited this long for a place makes room for other jobs: its route is slow. */
const ACQUIRE_WITHIN_MS = 1_500;

interface RoutePlaces {
  taken: number;
  readonly waiting: (() => void)[];
}

/**
 * How many campaign pages each route has in hand: as many as keep its calls going while the next page is claimed, no more. A
 * million devices pass through in small portions, and their pages are claimed when they are about to be sent.
 */
export class CampaignPageLimit {
  readonly #places = new Map<string, RoutePlaces>();

  /** @param atOnce pages of one route in hand at a time */
  constructor(private readonly atOnce: number) {}

  /** Waits for a place, not for long. @returns whether there is one; it must be released then */
  acquire(route: string): Promise<boolean> {
    const places = this.#placesOf(route);
    if (places.taken < this.atOnce) {
      places.taken += 1;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        places.waiting.splice(places.waiting.indexOf(go), 1);
        resolve(false);
      }, ACQUIRE_WITHIN_MS).unref();
      const go = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      places.waiting.push(go);
    });
  }

  /** Gives the place to whoever waited longest. */
  release(route: string): void {
    const places = this.#placesOf(route);
    const next = places.waiting.shift();
    if (next !== undefined) {
      next();
      return;
    }
    places.taken -= 1;
    if (places.taken === 0) this.#places.delete(route);
  }

  #placesOf(route: string): RoutePlaces {
    let places = this.#places.get(route);
    if (places === undefined) this.#places.set(route, (places = { taken: 0, waiting: [] }));
    return places;
  }
}

type Sizes = Pick<Config, 'deliveryConcurrency' | 'pageSize'>;

/** Enough small pages of named users at a time that their round trips do not add up. */
const JOBS_AT_LEAST = 64;

/** How many jobs of a vendor a worker takes at a time. Those of campaigns wait for a place before they claim a page. */
export function jobsAtOnce(sizes: Sizes): number {
  return Math.max(JOBS_AT_LEAST, 4 * campaignPagesAtOnce(sizes));
}

/**
 * How many campaign pages of a route a worker has in hand: twice what fills its calls in flight, and one that is being
 * claimed or recorded.
 */
export function campaignPagesAtOnce({ deliveryConcurrency, pageSize }: Sizes): number {
  return 2 * Math.ceil(deliveryConcurrency / pageSize) + 1;
}
