import { EventEmitter } from 'node:events';
import { Output, outliveReaders, table, type Streams } from './output';

describe('a drawing in a terminal', () => {
  /** What a terminal of ten columns gets. */
  function drawn(lines: readonly string[], rows: number, isLast: boolean): string {
    let text = '';
    const out = { columns: 10, isTTY: true, write: (more: string) => (text += more) };
    new Output({ out, err: out } as unknown as Streams, false).draw(lines, rows, isLast);
    return text.replaceAll('\u001b', '^');
  }

  it('is cut at its width while it is drawn over, because a wrapped line would be two rows', () => {
    expect(drawn(['0123456789abc', 'short'], 0, false)).toBe('^[2K0123456789\n^[2Kshort\n');
    expect(drawn(['0123456789abc', 'short'], 2, false)).toBe('^[2A^[2K0123456789\n^[2Kshort\n');
  });

  it('is drawn over together with the notes below it', () => {
    let text = '';
    const out = { columns: 10, isTTY: true, write: (more: string) => (text += more) };
    const output = new Output({ out, err: out } as unknown as Streams, false);
    output.draw(['first'], 0, false);
    output.note('a note of two rows');
    output.draw(['second'], 1, false);
    output.draw(['third'], 1, false);
    expect(text.replaceAll('\u001b', '^')).toBe('^[2Kfirst\na note of two rows\n^[3A^[J^[2Ksecond\n^[1A^[2Kthird\n');
  });

  it('is whole when it is the last one', () => {
    expect(drawn(['0123456789abc', 'short'], 2, true)).toBe('^[2A^[2K0123456789abc\n^[2Kshort\n');
  });
});

describe('a table', () => {
  const head = ['  NAME', 'URL', 'ID'];
  const rows = [
    ['  shop', 'http://x', 7],
    ['* demo', null, 8],
  ];

  it('has columns of equal width, as wide as the terminal at most', () => {
    const lines = ['  NAME  URL       ID', '  shop  http://x  7', '* demo  -         8'];
    expect(table(head, rows)).toEqual(lines);
    expect(table(head, rows, 20)).toEqual(lines);
  });

  it('of rows that a terminal would wrap has a block for each', () => {
    expect(table(head, rows, 19)).toEqual([
      ...['NAME    shop', 'URL   http://x', 'ID    7', ''],
      ...['NAME  * demo', 'URL   -', 'ID    8'],
    ]);
  });

  it('without rows is its head, and one of two columns stays one', () => {
    expect(table(head, [], 5)).toEqual(['  NAME  URL  ID']);
    expect(table(['A', 'B'], [['name', 'value']], 5)).toEqual(['A     B', 'name  value']);
  });

  it('is as wide as the terminal of the command allows', () => {
    let text = '';
    const out = { columns: 19, isTTY: true, write: (more: string) => (text += more) };
    new Output({ out, err: out } as unknown as Streams, false).table(rows, head, rows);
    expect(text).toMatch(/^NAME    shop\n/);
  });
});

describe('a stream without a reader', () => {
  const broken = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });

  it('ends the command if it is the output, and not if it has the notes', () => {
    const [out, err] = [new EventEmitter(), new EventEmitter()];
    let ends = 0;
    outliveReaders({ out, err } as unknown as Streams, { end: () => ends++, fail: () => undefined });
    err.emit('error', broken);
    expect(ends).toBe(0);
    out.emit('error', broken);
    expect(ends).toBe(1);
    expect(() => err.emit('error', new Error('ENOSPC'))).toThrow('ENOSPC');
  });

  it('fails the command if the output cannot be written', () => {
    const [out, err] = [new EventEmitter(), new EventEmitter()];
    const told: string[] = [];
    outliveReaders({ out, err } as unknown as Streams, {
      end: () => told.push('end'),
      fail: ({ message }) => told.push(message),
    });
    out.emit('error', Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }));
    expect(told).toEqual(['ENOSPC: no space left on device, write']);
  });
});
