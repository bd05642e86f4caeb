import type { Config } from '@postrider/platform';

/** Enough small pages of named users at a time that their round trips do not add up. */
const AT_LEAST = 32;

/**
 * How many pages of a vendor a worker has in hand: twice what fills its calls in flight, so that the next page is claimed
 * while the last one is sent.
 */
export function pagesAtOnce({ deliveryConcurrency, pageSize }: Config): number {
  return Math.max(AT_LEAST, 2 * Math.ceil(deliveryConcurrency / pageSize));
}
