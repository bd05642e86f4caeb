import { Costly } from './costly';

const pause = (ms: number): Promise<void> => new Promise((later) => setTimeout(later, ms));

describe('a value that may cost much', () => {
  let now: number;
  let computed: number;
  let costMs: number;
  let costly: Costly<number>;
  const get = (mark = 'a'): Promise<number> =>
    costly.get('key', mark, async () => {
      const value = ++computed;
      if (costMs > 0) await pause(costMs);
      return value;
    });

  beforeEach(() => {
    [now, computed, costMs] = [0, 0, 0];
    costly = new Costly({ now: () => new Date(now) }, 10);
  });

  it('is computed for everybody while it is cheap', async () => {
    expect([await get(), await get(), await get()]).toEqual([1, 2, 3]);
  });

  it('serves ten times as long as it took, and not under another mark', async () => {
    costMs = 120;
    expect(await get()).toBe(1);
    now += 1_000;
    expect(await get()).toBe(1);
    expect(await get('b')).toBe(2);
    now += 1_000;
    expect(await get('b')).toBe(2);
  });

  it('is given as it was to whoever would wait long for a new one, and new to the next', async () => {
    costMs = 120;
    await get();
    now += 20_000;
    expect(await Promise.all([get(), get()])).toEqual([1, 1]);
    await pause(150);
    expect([computed, await get()]).toEqual([2, 2]);
  });

  it('is waited for when the last one is a minute old', async () => {
    costMs = 120;
    await get();
    now += 61_000;
    expect(await get()).toBe(2);
  });

  it('is asked for again after a failure', async () => {
    const failing = costly.get('key', 'a', () => Promise.reject(new Error('the database is away')));
    await expect(failing).rejects.toThrow('away');
    expect(await get()).toBe(1);
  });
});
