import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { BadPromoFile } from './read-line';
import { PromoFileReader } from './promo-file-reader';

/** Reads a whole file in pieces of `size` bytes. */
function read(file: Buffer | string, size = 65_536): { codes: string[]; lines: number; position: number } {
  const bytes = Buffer.isBuffer(file) ? file : Buffer.from(file, 'utf8');
  const reader = new PromoFileReader();
  const codes: string[] = [];
  for (let at = 0; at < bytes.length; at += size) codes.push(...reader.push(bytes.subarray(at, at + size)));
  codes.push(...reader.end());
  return { codes, lines: reader.lines, position: reader.position };
}

function problem(file: Buffer | string, size?: number): string {
  try {
    read(file, size);
  } catch (error) {
    if (error instanceof BadPromoFile) return error.message;
    throw error;
  }
  return 'none';
}

const LONGEST = 'x'.repeat(255);

describe('a file of promo codes', () => {
  it.each<[string, string | Buffer, string[]]>([
    ['LF', 'A\nB\nC\n', ['A', 'B', 'C']],
    ['CRLF', 'A\r\nB\r\nC\r\n', ['A', 'B', 'C']],
    ['both', 'A\r\nB\nC', ['A', 'B', 'C']],
    ['no line end behind the last code', 'A\nB', ['A', 'B']],
    ['a byte order mark', '\ufeffA\nB\n', ['A', 'B']],
    ['a byte order mark before a quote', '\ufeff"A"\r\n', ['A']],
    ['byte order marks where files were joined', '\ufeffA\n\ufeffB\n', ['A', 'B']],
    ['blank lines', '\n\nA\n \t \n\r\nB\n\n', ['A', 'B']],
    ['blanks around codes', '  A \n\tB\t\n\u00a0C\u3000\n', ['A', 'B', 'C']],
    ['blanks inside codes', 'A B\n', ['A B']],
    ['quotes', '"A"\n"B ""x"" C"\n', ['A', 'B "x" C']],
    ['blanks around quotes and inside', ' " A " \r\n', ['A']],
    ['a comma in quotes', '"A,B"\n', ['A,B']],
    ['quoted blanks', '""\n"  "\nA\n', ['A']],
    ['a quote inside a code', '5" off\n', ['5" off']],
    ['quoted and plain lines in turns', 'A\n"B"\nC\n"D"\n', ['A', 'B', 'C', 'D']],
    ['backslashes', 'A\\nB\n\\.\n\\\\\n', ['A\\nB', '\\.', '\\\\']],
    ['other scripts and signs', 'تخفیف\nКОД\n🎁🎁\n', ['تخفیف', 'КОД', '🎁🎁']],
    ['codes of the greatest length', `${LONGEST}\n${'🎁'.repeat(255)}\n`, [LONGEST, '🎁'.repeat(255)]],
    ['codes that come twice', 'A\nA\n', ['A', 'A']],
    ['nothing', '', []],
  ])('may have %s', (_, file, codes) => {
    for (const size of [1, 2, 3, 7, 65_536]) expect(read(file, size).codes).toEqual(codes);
  });

  it.each<[string, string | Buffer, string]>([
    ['a second column', 'A\nB,2\nC', 'line 2: has a second column; a line must contain one code'],
    ['an empty second column', 'A,\n', 'line 1: has a second column; a line must contain one code'],
    ['a second column behind a quote', 'A\n"B","2"\n', 'line 2: has a second column; a line must contain one code'],
    ['a longer code', `A\n\n${LONGEST}y\n`, 'line 3: is longer than 255 characters'],
    ['a longer code in quotes', `"${LONGEST}y"\n`, 'line 1: is longer than 255 characters'],
    ['a NUL byte', 'A\nB\0\n', 'line 2: holds a NUL byte'],
    ['a tab between columns', 'A\tB\n', 'line 1: holds a control character (U+0009)'],
    ['a control character', 'A\u0085B\n', 'line 1: holds a control character (U+0085)'],
    ['CR alone', 'A\rB\rC\r', 'line 1: contains a carriage return; lines end in LF or CRLF'],
    ['a quote that does not end', 'A\n"B\nC\n', 'line 2: has an unclosed quote, or text after the closing quote'],
    ['a code over two lines', '"A\nB"\nC\n', 'line 1: has an unclosed quote, or text after the closing quote'],
    ['text behind a quote', '"A"x\n', 'line 1: has an unclosed quote, or text after the closing quote'],
    ['no UTF-8', Buffer.from([0x41, 0x0a, 0x42, 0xe9, 0x0a]), 'line 2: is not UTF-8'],
    ['half a character at its end', Buffer.from([0x41, 0x0a, 0xf0, 0x9f]), 'line 2: is not UTF-8'],
    [
      'a bad line before one that is not UTF-8',
      Buffer.from('A\nB,C\n\xff\n', 'latin1'),
      'line 2: has a second column; a line must contain one code',
    ],
    ['a bad line before a bad quote', 'A,B\n"C\n', 'line 1: has a second column; a line must contain one code'],
    ['a bad quote before a bad line', '"C\nA,B\n', 'line 1: has an unclosed quote, or text after the closing quote'],
  ])('is refused for %s, by the line', (_, file, expected) => {
    for (const size of [1, 3, 65_536]) expect(problem(file, size)).toBe(expected);
  });

  it('is refused when it is a file of another kind', () => {
    expect(problem(gzipSync('A\nB\n'))).toMatch(/^line 1: the file is compressed/);
    expect(problem(gzipSync(Buffer.alloc(3_000_000, 'x').map((_, i) => (i * i * 31) % 251)))).toMatch(
      /^line 1: .*gzip/,
    );
    expect(problem(Buffer.from('PK\u0003\u0004\n'))).toMatch(/^line 1: the file is a ZIP/);
    expect(problem(Buffer.from('\ufeffA\nB\n', 'utf16le'))).toMatch(/^line 1: the file is UTF-16/);
  });

  it('is refused for a line that does not end, however long it is', () => {
    expect(problem(`A\n${'x'.repeat(1_000_000)}`)).toBe('line 2: is longer than 65536 bytes');
    expect(problem('A\r'.repeat(100_000))).toBe('line 1: contains a carriage return; lines end in LF or CRLF');
    expect(problem(`A\n${' '.repeat(70_000)}\nB`, 1_000)).toBe(problem(`A\n${' '.repeat(70_000)}\nB`, 1_000_000));
  });

  it('is refused for a line of blanks inside a code without blocking the worker', () => {
    const line = Buffer.from(` a${'\u00a0'.repeat(300_000)}b\n`);
    // The limit only ends what would take minutes.
    const found: unknown = runInNewContext('find()', { find: () => problem(line, line.length) }, { timeout: 60_000 });
    expect(found).toBe('line 1: is longer than 65536 bytes');
  });

  it('may end anywhere and be gone on with at the line that was begun', () => {
    const file = Buffer.from(`\ufeff${Array.from({ length: 500 }, (_, i) => `"Код ${i}"`).join('\r\n')}\r\n`);
    const whole = read(file);
    for (const cut of [1, 4, 700, 701, 702, file.length - 1, file.length]) {
      const first = new PromoFileReader();
      const codes = first.push(file.subarray(0, cut));
      const second = new PromoFileReader(first);
      codes.push(...second.push(file.subarray(first.position)), ...second.end());
      expect([cut, codes, second.lines]).toEqual([cut, whole.codes, 500]);
    }
    expect(whole.position).toBe(file.length);
  });

  it('reads what a plain reader reads', () => {
    const line = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.constantFrom('A', 'B7', 'sale 10%', 'é', '漢字', '🎁', '-1', '=1+1', "'", 'a;b', '\\N'),
      },
      { weight: 2, arbitrary: fc.constantFrom('"A"', '"a""b"', '" x"', '""', '"a,b"') },
      { weight: 2, arbitrary: fc.constantFrom('', ' ', '\t', '  A', 'A\t ', ' "q" ') },
      {
        weight: 1,
        arbitrary: fc.constantFrom('A,B', '"A', '"A"B', 'a\tb', 'a\0', 'a\u001f', 'y'.repeat(256), '"a","b"'),
      },
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n')), { maxLength: 30 }),
        fc.boolean(),
        fc.boolean(),
        fc.integer({ min: 1, max: 64 }),
        (lines, hasMark, endsOpen, size) => {
          const text = lines.map(([content, end]) => content + end).join('');
          const file = (hasMark ? '\ufeff' : '') + (endsOpen ? text.replace(/\r?\n$/, '') : text);
          const expected = readPlainly(lines.map(([content]) => content));
          if (typeof expected === 'number') {
            expect(problem(file, size)).toMatch(new RegExp(`^line ${expected}:`));
          } else {
            expect(read(file, size).codes).toEqual(expected);
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

/** The rules once more, as simply as can be. @returns the codes, or the number of the first bad line */
function readPlainly(lines: readonly string[]): string[] | number {
  const codes: string[] = [];
  for (const [index, line] of lines.entries()) {
    let code = line.trim();
    if (code.startsWith('"')) {
      if (!/^"(?:[^"]|"")*"$/.test(code)) return index + 1;
      code = code.slice(1, -1).replaceAll('""', '"').trim();
    } else if (code.includes(',')) return index + 1;
    if (code.split('').some((character) => character < ' ') || Array.from(code).length > 255) return index + 1;
    if (code !== '') codes.push(code);
  }
  return codes;
}
