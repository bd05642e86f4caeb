import type { Config } from '@postrider/platform';

type Sizes = Pick<Config, 'deliveryConcurrency' | 'pageSize'>;

/** Enough small pages of named users at a time that their round trips do not add up. */
const JOBS_AT_LEAST = 64;

/** How many jobs of a vendor a worker takes at a time. Those of campaigns wait for their turn before they claim a page. */
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
