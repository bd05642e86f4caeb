import fc from 'fast-check';
import { type RawRecord, RecordSplitter } from './record-splitter';

const OPTIONS = { offset: 0, line: 1, isQuoted: true, maxBytes: 40 };
const UNCLOSED = 'a quote is opened and not closed';

function split(pieces: readonly Buffer[], options = OPTIONS): RawRecord[] {
  const splitter = new RecordSplitter(options);
  return [...pieces.flatMap((piece) => [...splitter.push(piece)]), ...splitter.end()];
}

const shown = (records: readonly RawRecord[]): (string | null)[] =>
  records.map(({ line, bytes, problem }) => `${line}: ${bytes?.toString() ?? problem ?? ''}`);

describe('cutting a file into records', () => {
  it('takes LF and CRLF, a last line without an end, and line breaks between quotes', () => {
    expect(shown(split([Buffer.from('a,b\r\nc,"d\ne"\n\nf')]))).toEqual(['1: a,b', '2: c,"d\ne"', '4: ', '5: f']);
    expect(split([])).toEqual([]);
    expect(shown(split([Buffer.from('\uFEFFa,b\n\uFEFFc')]))).toEqual(['1: a,b', '2: \uFEFFc']);
  });

  it('gives up one line for a stray quote, and none behind it', () => {
    const text = `a,"b\nc,d\n${'e,f\n'.repeat(20)}`;
    const records = split([Buffer.from(text)]);
    expect(records[0]).toMatchObject({ line: 1, problem: 'a quote is opened and not closed' });
    expect(records.slice(1).map(({ bytes }) => bytes?.toString())).toEqual(['c,d', ...Array<string>(20).fill('e,f')]);
    expect(shown(split([Buffer.from('a,"b\nc,d\n')]))).toEqual(['1: a quote is opened and not closed', '2: c,d']);
    expect(shown(split([Buffer.from('a,"b')]))).toEqual(['1: a quote is opened and not closed']);
  });

  it.each([
    ['in two rows', 'a,12" x\nb,c\nd,"e\n\nf"\ng,7" y\nh,i\n', ['a,12" x', 'b,c', 'd,"e\n\nf"', UNCLOSED, 'h,i']],
    ['opened in two rows', 'a,"x\nb,c\nd,"y\ne,f\n', ['a,"x', 'b,c', UNCLOSED, 'e,f']],
    [
      'before a quoted cell',
      'a,12" x\nb,"c"\nd,"e ""f"""\ng,7" y\nh\n"',
      ['a,12" x', 'b,"c"', 'd,"e ""f"""', 'g,7" y', 'h', UNCLOSED],
    ],
    ['behind a mark', '\uFEFF"a;\nb"\nc;d"\ne;f"', ['"a;\nb"', 'c;d"', UNCLOSED]],
  ])('keeps the lines between two stray quotes: %s', (_case, text, lines) => {
    const records = split([Buffer.from(text)]);
    expect(records.map(({ bytes, problem }) => bytes?.toString() ?? problem)).toEqual(lines);
  });

  it('gives up a line that is too long, whatever its length, and goes on behind it', () => {
    const long = [Buffer.from('a\n'), ...Array<Buffer>(50).fill(Buffer.from('xxxxxxxxxx')), Buffer.from('\nb\n')];
    expect(shown(split(long))).toEqual(['1: a', '2: is longer than 40 bytes', '3: b']);
    expect(shown(split(long.slice(0, -1)))).toEqual(['1: a', '2: is longer than 40 bytes']);
  });

  it.each([
    ['no quotes', ''],
    ['a stray quote at its beginning', '"a'],
    ['a stray quote at its beginning and one at its end', '"a', '"'],
  ])('looks at each byte of a file with %s a few times only, however many lines it has', (_case, first, last = '') => {
    const file = Buffer.from(`${first}\n${'b\n'.repeat(10_000)}${last}`);
    let looked = 0;
    const indexOf: (this: Buffer, value: number, from: number) => number = Buffer.prototype.indexOf;
    const spy = jest.spyOn(Buffer.prototype, 'indexOf').mockImplementation(function (this: Buffer, value, from = 0) {
      const at = indexOf.call(this, Number(value), Number(from));
      looked += (at === -1 ? this.length : at + 1) - Number(from);
      return at;
    });
    const records = split([file]);
    spy.mockRestore();
    expect(records.length).toBeGreaterThan(10_000);
    expect(looked).toBeLessThan(10 * file.length);
  });

  it('gives the same records however the file comes in pieces, and from wherever it is read on', () => {
    const text = fc
      .array(fc.constantFrom('a', ',', '"', '\n', '\r\n', 'é', 'x'.repeat(15), '\n\n'), { maxLength: 60 })
      .map((parts) => Buffer.from(parts.join('')));
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 17 }), fc.boolean(), (bytes, size, isQuoted) => {
        const options = { ...OPTIONS, isQuoted };
        const whole = split([bytes], options);
        const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
          bytes.subarray(n * size, (n + 1) * size),
        );
        expect(split(pieces, options)).toEqual(whole);
        expect(whole.at(-1)?.endsAt ?? 0).toBe(bytes.length);
        for (const [index, { endsAt, nextLine }] of whole.entries()) {
          const rest = split([bytes.subarray(endsAt)], { ...options, offset: endsAt, line: nextLine });
          expect(rest).toEqual(whole.slice(index + 1));
        }
      }),
      { numRuns: 150 },
    );
  });
});
