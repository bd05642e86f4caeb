import fc from 'fast-check';
import { csvCells, csvSeparatorOf, namedSeparator } from './csv-cells';

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

describe('the cells of a CSV record', () => {
  it('come with and without quotes, and may hold commas, quotes and line breaks', () => {
    expect(csvCells('a,,"b,""c""\n",')).toEqual(['a', '', 'b,"c"\n', '']);
    expect(csvCells('')).toEqual(['']);
    expect(csvCells('""')).toEqual(['']);
  });

  it('are none where a quote stands in the middle, or does not close', () => {
    for (const record of ['a"b', '"a"b,c', '"a', 'x,"a""']) expect(csvCells(record)).toBeNull();
  });

  it('are what was written, quoted or not', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', ' ', 'é') });
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1 }), (cells) => {
        expect(csvCells(cells.map(quoted).join(','))).toEqual(cells);
        const plain = cells.map((text) => text.replace(/[",\n]/g, ''));
        expect(csvCells(plain.join(','))).toEqual(plain);
      }),
    );
  });

  it('stand between the separator that the file has', () => {
    expect(csvCells('a;"b;""c""";1,5', ';')).toEqual(['a', 'b;"c"', '1,5']);
    expect(csvCells('a\t"b"', '\t')).toEqual(['a', 'b']);
    expect(csvCells('"a";b', ',')).toBeNull();
  });
});

describe('the separator of a CSV file', () => {
  const hasToken = (cells: readonly string[]): boolean => cells.includes('token');

  it('is the one that gives names that are known, outside of quotes', () => {
    for (const separator of [',', ';', '\t'] as const) {
      expect(csvSeparatorOf(['token', '"a,b;c,d;e\tf"', 'user'].join(separator), hasToken)).toBe(separator);
    }
    expect(csvSeparatorOf('token,a;b;c', hasToken)).toBe(',');
    expect(csvSeparatorOf('token', hasToken)).toBe(',');
  });

  it('is the comma if nothing is known, or without one what occurs most', () => {
    expect(csvSeparatorOf('a,b;c;d', hasToken)).toBe(',');
    expect(csvSeparatorOf('a;b\tc\td', hasToken)).toBe('\t');
    expect(csvSeparatorOf('a', hasToken)).toBe(',');
    expect(csvSeparatorOf('a"', hasToken)).toBe(',');
  });

  it('may be named before the header', () => {
    expect(namedSeparator('sep=;')).toBe(';');
    expect(namedSeparator('SEP=\t')).toBe('\t');
    expect(namedSeparator('"sep=,"')).toBe(',');
    for (const other of ['sep=|', 'sep=', 'token', 'xsep=;']) expect(namedSeparator(other)).toBeNull();
  });
});
