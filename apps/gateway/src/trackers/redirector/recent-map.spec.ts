import fc from 'fast-check';
import { RecentMap } from './recent-map';

describe('what is remembered of late', () => {
  it('is what was set last, and holds the latest ones whatever came before', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(9), fc.nat())), fc.integer({ min: 1, max: 5 }), (changes, capacity) => {
        const map = new RecentMap<number>(capacity);
        const all = new Map<string, number>();
        for (const [key, value] of changes) {
          all.delete(`${key}`);
          all.set(`${key}`, value);
          map.set(`${key}`, value);
        }
        const latest = [...all].slice(-capacity);
        expect(latest.map(([key]) => map.get(key))).toEqual(latest.map(([, value]) => value));
      }),
    );
  });

  it('never holds more than twice its capacity', () => {
    const map = new RecentMap<number>(100);
    for (let n = 0; n < 10_000; n++) map.set(`${n}`, n);
    const held = Array.from({ length: 10_000 }, (_, n) => map.get(`${n}`)).filter((value) => value !== undefined);
    expect(held.length).toBeLessThanOrEqual(200);
  });

  it('keeps what is asked for', () => {
    const map = new RecentMap<string>(10);
    map.set('asked', 'kept');
    for (let n = 0; n < 1_000; n++) {
      map.set(`${n}`, 'passing');
      expect(map.get('asked')).toBe('kept');
    }
  });
});
