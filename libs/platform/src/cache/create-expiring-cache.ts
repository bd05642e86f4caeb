import type { Clock } from '@postrider/domain';
import { LRUCache } from 'lru-cache';

/**
 * Creates a cache of up to `capacity` entries, each of which is valid for less than `ttlMs` by `clock`, whatever becomes of the time of
 * day. The one that was used longest ago makes room for a new one. Where a value takes time to find, set it with `{ start }`, what
 * `clock.steadyMs()` was before it was looked for: what changes during the look-up is then seen within `ttlMs` too.
 */
export function createExpiringCache<Value extends object | boolean | number | string>(
  clock: Clock,
  capacity: number,
  ttlMs: number,
): LRUCache<string, Value> {
  return new LRUCache({
    max: capacity,
    // The library still gives out an entry whose age is exactly its ttl.
    ttl: ttlMs - 1,
    // Otherwise the library asks the clock once a millisecond of the machine's, whatever this clock says.
    ttlResolution: 0,
    perf: { now: () => clock.steadyMs() },
  });
}
