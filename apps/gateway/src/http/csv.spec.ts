import { csvLine, tagsField } from './csv';

describe('a line of a CSV file', () => {
  it.each([
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "so"', '"say ""so"""'],
    ['two\nlines', '"two\nlines"'],
    ['', ''],
    ['=1+1', `'=1+1`],
    ['@SUM(A1)', `'@SUM(A1)`],
    ['\t=1+1', `'\t=1+1`],
    ['＝1+1', `'＝1+1`],
    [' =1+1', `' =1+1`],
    ['"=1+1', `"'""=1+1"`],
    ['a = b - c', 'a = b - c'],
    ['a;b', 'a;b'],
  ])('writes %j as %j', (text, written) => {
    expect(csvLine(['first', text, 'last'])).toBe(`first,${written},last\r\n`);
  });

  // Where a semicolon separates cells, a spreadsheet reads `first,x`, `=1+1` and `y,last`.
  it.each([
    ['x;=1+1;y', `x;'=1+1;y`],
    ['x\n=1+1', `"x\n'=1+1"`],
    ['x\r\n@y;-z', `"x\r\n'@y;'-z"`],
    ['\r=1+1', `"\r'=1+1"`],
    // Its doubled quotes are empty quoted text there, before the rest of the cell.
    ['x;"=1+1;y', `"x;'""=1+1;y"`],
    ['x\n"=1+1\ny', `"x\n'""=1+1\ny"`],
    ['x;""; "@y', `"x;"""";' ""@y"`],
    [tagsField({ tags: ['=1+1', '@vip', 'a=b'], tagValues: {} }), `'=1+1;'@vip;a=b`],
  ])('has no formula where a semicolon or a line break begins a cell: %j', (text, written) => {
    expect(csvLine(['first', text, 'last'])).toBe(`first,${written},last\r\n`);
  });
});
