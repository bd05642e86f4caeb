import { ExpiringMap } from './expiring-map';

describe('a memory of a few seconds', () => {
  it('forgets an answer when its time is over', () => {
    const map = new ExpiringMap<number>(10, 1_000);
    map.set('a', 1, 0);
    expect(map.get('a', 999)).toBe(1);
    expect(map.get('a', 1_000)).toBeUndefined();
    expect(map.get('b', 0)).toBeUndefined();
  });

  it('drops the oldest answer for a new one when it is full', () => {
    const map = new ExpiringMap<number>(2, 1_000);
    for (const [key, value] of [
      ['a', 1],
      ['b', 2],
      ['a', 3],
      ['c', 4],
    ] as const)
      map.set(key, value, 0);
    expect([map.get('a', 0), map.get('b', 0), map.get('c', 0)]).toEqual([3, undefined, 4]);
  });
});
