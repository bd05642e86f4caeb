import fc from 'fast-check';
import { csvCells } from './csv-cells';

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
});
