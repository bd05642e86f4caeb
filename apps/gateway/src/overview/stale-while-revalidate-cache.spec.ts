import { TestClock } from '@postrider/testing';
import { StaleWhileRevalidateCache } from './stale-while-revalidate-cache';

describe('a value that takes long to compute', () => {
  let clock: TestClock;

  beforeEach(() => {
    clock = new TestClock(1_000_000);
  });

  it('is computed once for all who ask meanwhile, and again behind the back of who asks later', async () => {
    const cache = new StaleWhileRevalidateCache<number>(clock, 60_000, 1_000);
    let computed = 0;
    const compute = (): Promise<number> => Promise.resolve(++computed);
    const both = await Promise.all([cache.get('shop', compute), cache.get('shop', compute)]);
    expect(both.map((known) => known?.value)).toEqual([1, 1]);
    clock.advance(59_999);
    expect((await cache.get('shop', compute))?.value).toBe(1);
    clock.advance(1);
    expect(await cache.get('shop', compute)).toEqual({ value: 1, asOf: new Date(1_000_000) });
    expect(await cache.get('shop', compute)).toEqual({ value: 2, asOf: clock.now() });
    expect((await cache.get('bank', compute))?.value).toBe(3);
  });

  it('is not waited for longer than the reader’s patience', async () => {
    const cache = new StaleWhileRevalidateCache<number>(clock, 60_000, 5);
    let finish: (value: number) => void = () => undefined;
    const slow = (): Promise<number> => new Promise((resolve) => (finish = resolve));
    expect(await cache.get('shop', slow)).toBeNull();
    finish(7);
    expect((await cache.get('shop', slow))?.value).toBe(7);
  });

  it('is waited for where the last one is much too old, and stands in for one that is slow or fails', async () => {
    const cache = new StaleWhileRevalidateCache<number>(clock, 60_000, 5);
    await cache.get('shop', () => Promise.resolve(1));
    clock.advance(600_000);
    expect((await cache.get('shop', () => Promise.reject(new Error('away'))))?.value).toBe(1);
    expect((await cache.get('shop', () => Promise.resolve(2)))?.value).toBe(2);
    clock.advance(600_000);
    let finish: (value: number) => void = () => undefined;
    const slow = (): Promise<number> => new Promise((resolve) => (finish = resolve));
    expect((await cache.get('shop', slow))?.value).toBe(2);
    finish(3);
    expect((await cache.get('shop', slow))?.value).toBe(3);
  });

  it('is tried again after a failure, which only those who wait are told of', async () => {
    const cache = new StaleWhileRevalidateCache<number>(clock, 60_000, 1_000);
    await expect(cache.get('shop', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect((await cache.get('shop', () => Promise.resolve(1)))?.value).toBe(1);
    clock.advance(60_000);
    expect((await cache.get('shop', () => Promise.reject(new Error('away'))))?.value).toBe(1);
  });
});
