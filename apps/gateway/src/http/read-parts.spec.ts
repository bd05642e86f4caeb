import { type LongList, readEntries, readParts } from './read-parts';

describe('a long list', () => {
  let asked: number[];

  beforeEach(() => (asked = []));

  /** The numbers from 1 to `length`, three at a time. */
  const listOf = (length: number): LongList<number, number> => ({
    first: 0,
    limit: 3,
    read: (after, limit) => {
      asked.push(after);
      return Promise.resolve(Array.from({ length: Math.min(limit, length - after) }, (_, n) => after + n + 1));
    },
    placeOf: (entry) => entry,
  });

  it.each([
    [0, [], [0]],
    [2, [[1, 2]], [0]],
    [3, [[1, 2, 3]], [0, 3]],
    [7, [[1, 2, 3], [4, 5, 6], [7]], [0, 3, 6]],
  ])(
    'of %i entries is read to its end, each part behind the one before, and none that is empty',
    async (length, parts, places) => {
      const read: number[][] = [];
      for await (const part of readParts(listOf(length))) read.push(part);
      expect([read, asked]).toEqual([parts, places]);
    },
  );

  it('is read no further than its caller takes', async () => {
    const taken: number[] = [];
    for await (const entry of readEntries(listOf(100))) if (taken.push(entry) === 4) break;
    expect([taken, asked]).toEqual([
      [1, 2, 3, 4],
      [0, 3],
    ]);
  });
});
