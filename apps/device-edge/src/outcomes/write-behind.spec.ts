import { untilTrue } from '@postrider/testing';
import { WriteBehind } from './write-behind';

const unavailable = (): Error => Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });

function behind(write: (items: number[]) => Promise<void>, capacity = 100) {
  const written: number[] = [];
  const refused: number[] = [];
  const book = new WriteBehind<number>({
    write,
    onWritten: (items) => written.push(...items),
    onRefused: (_, one) => refused.push(one),
    maxSize: 8,
    concurrency: 1,
    maxWaitMs: 0,
    capacity,
  });
  const done = (): Promise<void> => untilTrue(() => book.size === 0);
  return { book, written, refused, done };
}

describe('writing behind', () => {
  it('writes what comes together in common statements, in order', async () => {
    const statements: number[][] = [];
    const { book, written, done } = behind((items) => {
      statements.push(items);
      return Promise.resolve();
    });
    for (let n = 0; n < 20; n++) book.add(n);
    await done();
    expect(statements.map(({ length }) => length)).toEqual([8, 8, 4]);
    expect(written).toEqual(Array.from({ length: 20 }, (_, n) => n));
  });

  it('lets what is refused fail alone', async () => {
    const { book, written, refused, done } = behind((items) =>
      items.includes(3) ? Promise.reject(new Error('bad')) : Promise.resolve(),
    );
    for (let n = 0; n < 8; n++) book.add(n);
    await done();
    expect(refused).toEqual([3]);
    expect(written.sort()).toEqual([0, 1, 2, 4, 5, 6, 7]);
  });

  it('goes on trying while PostgreSQL is away, and takes no more than it can hold', async () => {
    let tries = 0;
    const { book, written, refused, done } = behind(
      () => (++tries < 3 ? Promise.reject(unavailable()) : Promise.resolve()),
      2,
    );
    expect([book.add(1), book.add(2), book.add(3)]).toEqual([true, true, false]);
    await done();
    expect(written).toEqual([1, 2]);
    expect(refused).toEqual([]);
    expect(book.add(4)).toBe(true);
    await done();
  });
});
