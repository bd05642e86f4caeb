import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@postrider/domain';

/** The second page returns this much after the first, the third after twice that, and so on. */
const SECOND_AFTER_MS = SECOND_MS;
/** Pages that would return later than this wait to be released. If nobody releases them, they return from then on. */
const LONG_MS = 5 * MINUTE_MS;
/** They return one after the other, but each within an hour. */
const BETWEEN_MS = 100;
const LONGEST_MS = HOUR_MS;

/**
 * Returns how long after the end of a hold a page returns by itself. The first page finds out if the vendor works again;
 * the second comes if the first does not, because its message has ended or another worker has it; and so on. If the vendor
 * works, all others are released at once (`HeldPages`). So a hold costs a few pages, however many wait for the route.
 *
 * @param place how many pages were put back before it during the hold
 * @param random from 0 to 1
 */
export function returnsAfterMs(place: number, random: number): number {
  if (place === 0) return 0;
  const doubledMs = SECOND_AFTER_MS * 2 ** (place - 1);
  if (doubledMs < LONG_MS) return doubledMs;
  return LONG_MS + random * Math.min(place * BETWEEN_MS, LONGEST_MS - LONG_MS);
}
