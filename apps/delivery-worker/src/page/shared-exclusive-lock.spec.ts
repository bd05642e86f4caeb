import { AloneOrTogether } from './shared-exclusive-lock';

describe('work alone or together', () => {
  /** Work that begins when it may and ends when it is told to. */
  function setUp(): {
    begun: string[];
    start(name: string, how: 'together' | 'alone'): void;
    end(name: string): Promise<void>;
  } {
    const beside = new AloneOrTogether();
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    return {
      begun,
      start: (name, how) => {
        void beside[how](() => {
          begun.push(name);
          return new Promise<void>((end) => ends.set(name, end));
        });
      },
      end: async (name) => {
        ends.get(name)?.();
        for (let turn = 0; turn < 5; turn++) await new Promise((next) => setImmediate(next));
      },
    };
  }

  it('goes on beside other work, alone only when nothing else does, and whoever waits meanwhile follows before the next', async () => {
    const { begun, start, end } = setUp();
    start('a', 'together');
    start('b', 'together');
    expect(begun).toEqual(['a', 'b']);
    start('alone 1', 'alone');
    start('c', 'together');
    start('alone 2', 'alone');
    start('d', 'together');
    await end('a');
    expect(begun).toEqual(['a', 'b']);
    await end('b');
    expect(begun).toEqual(['a', 'b', 'alone 1']);
    await end('alone 1');
    expect(begun).toEqual(['a', 'b', 'alone 1', 'c', 'd']);
    await end('c');
    start('e', 'together');
    await end('d');
    expect(begun).toEqual(['a', 'b', 'alone 1', 'c', 'd', 'alone 2']);
    await end('alone 2');
    expect(begun).toEqual(['a', 'b', 'alone 1', 'c', 'd', 'alone 2', 'e']);
  });

  it('goes on when work fails', async () => {
    const beside = new AloneOrTogether();
    await expect(beside.together(() => Promise.reject(new Error('together')))).rejects.toThrow('together');
    await expect(beside.alone(() => Promise.reject(new Error('alone')))).rejects.toThrow('alone');
    expect(await beside.alone(() => Promise.resolve('done'))).toBe('done');
  });
});
