import type { LRUCache } from 'lru-cache';
import { createExpiringCache } from './create-expiring-cache';

const BEGAN_AT = 1_000_000;

describe('a cache whose entries expire', () => {
  let now = BEGAN_AT;
  const create = (capacity: number): LRUCache<string, number> =>
    createExpiringCache({ now: () => new Date(now), steadyMs: () => now }, capacity, 1_000);

  beforeEach(() => {
    now = BEGAN_AT;
  });

  it('drops an entry when its time is over', () => {
    const cache = create(10);
    cache.set('a', 1);
    now += 999;
    expect(cache.get('a')).toBe(1);
    now += 1;
    expect(cache.get('a')).toBeUndefined();
    expect(cache.get('b')).toBeUndefined();
    expect(cache.size).toBe(0);
  });

  it('drops it then too when the time of day was put back meanwhile', () => {
    let steadyMs = 1;
    let time = now;
    const cache = createExpiringCache({ now: () => new Date(time), steadyMs: () => steadyMs }, 10, 1_000);
    cache.set('a', 1);
    time -= 3_600_000;
    steadyMs += 1_000;
    expect(cache.get('a')).toBeUndefined();
  });

  it('counts the time of an entry from when its look-up began', () => {
    const cache = create(10);
    now += 600;
    cache.set('a', 1, { start: BEGAN_AT });
    now += 399;
    expect(cache.get('a')).toBe(1);
    now += 1;
    expect(cache.get('a')).toBeUndefined();
  });

  it('takes no memory for entries that have not come', () => {
    // An array of so many places cannot be made.
    const cache = create(2 ** 32);
    cache.set('a', 1);
    expect(cache.get('a')).toBe(1);
  });

  it('drops the oldest entry for a new one when it is full', () => {
    const cache = create(2);
    for (const [key, value] of [
      ['a', 1],
      ['b', 2],
      ['a', 3],
      ['c', 4],
    ] as const)
      cache.set(key, value);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([3, undefined, 4]);
  });

  it('keeps an entry that is asked for, however many others pass', () => {
    const cache = create(10);
    cache.set('asked', -1);
    for (let n = 0; n < 1_000; n++) {
      cache.set(`${n}`, n);
      expect(cache.get('asked')).toBe(-1);
    }
    expect(cache.size).toBe(10);
  });
});
