import { SharedExclusiveLock } from './shared-exclusive-lock';

describe('shared and exclusive work', () => {
  /** Work that starts when the lock admits it and ends when the test says so. */
  function setUp(): {
    begun: string[];
    start(name: string, how: 'shared' | 'exclusive'): void;
    end(name: string): Promise<void>;
  } {
    const lock = new SharedExclusiveLock();
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    return {
      begun,
      start: (name, how) => {
        void lock[how](() => {
          begun.push(name);
          return new Promise<void>((end) => ends.set(name, end));
        });
      },
      end: async (name) => {
        ends.get(name)?.();
        for (let n = 0; n < 5; n++) await new Promise((next) => setImmediate(next));
      },
    };
  }

  it('runs beside shared work, exclusively only when nothing else runs, and shared work that waits goes before the next', async () => {
    const { begun, start, end } = setUp();
    start('a', 'shared');
    start('b', 'shared');
    expect(begun).toEqual(['a', 'b']);
    start('alone 1', 'exclusive');
    start('c', 'shared');
    start('alone 2', 'exclusive');
    start('d', 'shared');
    await end('a');
    expect(begun).toEqual(['a', 'b']);
    await end('b');
    expect(begun).toEqual(['a', 'b', 'alone 1']);
    await end('alone 1');
    expect(begun).toEqual(['a', 'b', 'alone 1', 'c', 'd']);
    await end('c');
    start('e', 'shared');
    await end('d');
    expect(begun).toEqual(['a', 'b', 'alone 1', 'c', 'd', 'alone 2']);
    await end('alone 2');
    expect(begun).toEqual(['a', 'b', 'alone 1', 'c', 'd', 'alone 2', 'e']);
  });

  it('goes on when work fails', async () => {
    const lock = new SharedExclusiveLock();
    await expect(lock.shared(() => Promise.reject(new Error('shared')))).rejects.toThrow('shared');
    await expect(lock.exclusive(() => Promise.reject(new Error('exclusive')))).rejects.toThrow('exclusive');
    expect(await lock.exclusive(() => Promise.resolve('done'))).toBe('done');
  });
});
