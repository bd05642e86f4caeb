import { TestClock } from '@postrider/testing';
import { SlowValueCache } from './slow-value-cache';

const COST_MS = 120;

describe('a value that may cost much', () => {
  let clock: TestClock;
  let computed: number;
  let costMs: number;
  let cache: SlowValueCache<number>;
  const get = (mark = 'a'): Promise<number> =>
    cache.get('key', mark, async () => {
      const value = ++computed;
      if (costMs > 0) await new Promise((later) => setTimeout(later, costMs));
      return value;
    });

  beforeEach(() => {
    jest.useFakeTimers();
    [computed, costMs] = [0, 0];
    clock = new TestClock(0);
    cache = new SlowValueCache(clock, 10);
  });

  afterEach(() => jest.useRealTimers());

  /** The result of the work while time passes. */
  const afterTime = async <T>(work: Promise<T>): Promise<T> => {
    await jest.advanceTimersByTimeAsync(COST_MS);
    return work;
  };

  it('is computed for everybody while it is cheap', async () => {
    expect([await get(), await get(), await get()]).toEqual([1, 2, 3]);
  });

  it('serves ten times as long as it took, and not under another mark', async () => {
    costMs = COST_MS;
    expect(await afterTime(get())).toBe(1);
    clock.advance(1_000);
    expect(await get()).toBe(1);
    expect(await afterTime(get('b'))).toBe(2);
    clock.advance(1_000);
    expect(await get('b')).toBe(2);
  });

  it('is given as it was to whoever would wait long for a new one, and new to the next', async () => {
    costMs = COST_MS;
    await afterTime(get());
    clock.advance(20_000);
    const impatient = Promise.all([get(), get()]);
    await jest.advanceTimersByTimeAsync(10);
    expect(await impatient).toEqual([1, 1]);
    await jest.advanceTimersByTimeAsync(COST_MS);
    expect([computed, await get()]).toEqual([2, 2]);
  });

  it('is waited for when the last one is a minute old', async () => {
    costMs = COST_MS;
    await afterTime(get());
    clock.advance(61_000);
    expect(await afterTime(get())).toBe(2);
  });

  it('is asked for again after a failure', async () => {
    const failing = cache.get('key', 'a', () => Promise.reject(new Error('the database is away')));
    await expect(failing).rejects.toThrow('away');
    expect(await get()).toBe(1);
  });
});
