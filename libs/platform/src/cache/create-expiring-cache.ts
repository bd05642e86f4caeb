import type { Clock } from '@postrider/domain';
import { LRUCache } from 'lru-cache';

/**
 * Creates a cache of up to `capacity` entries, each of which is valid for less than `ttlMs` by `clock`, even if the
 * time of day is changed. The least recently used entry makes room for a new one. If a value takes time to find, set it
 * with `{ start }`, the value of `clock.steadyMs()` before the look-up: a change during the look-up is then seen within
 * `ttlMs` too.
 */
export function createExpiringCache<Value extends object | boolean | number | string>(
  clock: Clock,
  capacity: number,
  ttlMs: number,
): LRUCache<string, Value> {
  return new LRUCache({
    // The library takes the memory of `max` entries at once, and of this limit's as they come.
    maxSize: capacity,
    sizeCalculation: () => 1,
    // The library still gives out an entry whose age is exactly its ttl.
    ttl: ttlMs - 1,
    // Otherwise the library reads the machine's time once a millisecond, and ignores this clock.
    ttlResolution: 0,
    perf: { now: () => clock.steadyMs() },
  });
}
