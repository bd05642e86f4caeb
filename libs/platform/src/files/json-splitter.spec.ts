import fc from 'fast-check';
import { JsonSplitter } from './json-splitter';
import type { RawRecord } from './record-splitter';

const OPTIONS = { offset: 0, index: 0, maxBytes: 1_000, listNames: ['results', 'Endpoints'], pageNames: ['Endpoints'] };

function split(pieces: readonly Buffer[], options = OPTIONS): RawRecord[] {
  const splitter = new JsonSplitter(options);
  return [...pieces.flatMap((piece) => [...splitter.push(piece)]), ...splitter.end()];
}
const shown = (text: string, options = OPTIONS): string[] =>
  split([Buffer.from(text)], options).map(
    ({ line, bytes, problem }) => `${line}: ${bytes?.toString() ?? problem ?? ''}`,
  );

describe('cutting a JSON document into elements', () => {
  it('takes an array, a list in an object, objects one behind the other, and one object', () => {
    expect(shown('[{"a":1}, "x,]" ,2\n]')).toEqual(['0: {"a":1}', '1: "x,]"', '2: 2']);
    expect(shown('\uFEFF{ "next": {"results":[1]}, "results" : [ {"a":"]"},{"b":[1,2]} ], "more": 1}')).toEqual([
      '0: {"a":"]"}',
      '1: {"b":[1,2]}',
    ]);
    expect(shown('{"a":1}\n{"b":{"results":[1]}} {"results":[3]}')).toEqual([
      '0: {"a":1}',
      '1: {"b":{"results":[1]}}',
      '2: {"results":[3]}',
    ]);
    expect(shown('{"other":[1],"a":"results"}')).toEqual(['0: {"other":[1],"a":"results"}']);
    expect(shown(' [ ] ')).toEqual([]);
    expect(shown('')).toEqual([]);
  });

  it('takes the lists of documents one behind the other, as pages that were appended to one file', () => {
    const page = (...elements: number[]): string =>
      `{"results":[${elements.join()}],"next":{"text":"]}{\\"","list":[7,{"results":[8]}]}}`;
    expect(shown(`${page(1, 2)}\n${page()}\n${page(3)}`)).toEqual(['0: 1', '1: 2', '2: 3']);
    expect(shown('{"results":[1]}{"results":[2]}')).toEqual(['0: 1', '1: 2']);
    expect(shown('[1]\n[2,[3]]\n')).toEqual(['0: 1', '1: 2', '2: [3]']);
    expect(shown('[1] {"results":[2]} {"a":3}')).toEqual(['0: 1', '1: 2', '2: {"a":3}']);
    expect(shown('[1] and more')).toEqual(['0: 1', '1: is no JSON']);
  });

  it('takes the lists of pages in an array, and no list of an element that is none', () => {
    const page = (...elements: number[]): string =>
      `{"more":{"Endpoints":[7]},"Endpoints":[${elements.join()}],"NextToken":"]},"}`;
    expect(shown(`[${page(1, 2)},\n${page()} ,${page(3)}]\n`)).toEqual(['0: 1', '1: 2', '2: 3']);
    expect(shown(`[${page()}]`)).toEqual([]);
    expect(shown(`[${page(1)}`)).toEqual(['0: 1']);
    expect(shown('[{"results":[1]},{"Endpoints":[2]}]')).toEqual(['0: {"results":[1]}', '1: {"Endpoints":[2]}']);
    expect(shown('{"a":{"Endpoints":[1]}}')).toEqual(['0: {"a":{"Endpoints":[1]}}']);
  });

  it('says what does not end, is too long, or is no JSON, and nothing behind it', () => {
    expect(shown('[{"a":1},{"b":')).toEqual(['0: {"a":1}', '1: ends before it is complete']);
    for (const cut of ['{"results":[{"a":1}', '[{"a":1},\n', '[{"a":1}'])
      expect(shown(cut)).toEqual(['0: {"a":1}', '1: ends before it is complete']);
    expect(shown('{"results":[')).toEqual(['0: ends before it is complete']);
    expect(shown('[1,2')).toEqual(['0: 1', '1: 2', '2: ends before it is complete']);
    expect(shown(`[1,"${'x'.repeat(2_000)}",2]`)[0]).toBe('0: 1');
    expect(shown(`["${'x'.repeat(2_000)}`)).toEqual(['0: is longer than 1000 bytes']);
    expect(shown('[1,}]')).toEqual(['0: 1', '1: is no JSON']);
  });

  it('gives the same elements however the document comes in pieces, and from wherever it is read on', () => {
    const json = fc.jsonValue({ maxDepth: 3 });
    const document = fc
      .tuple(
        fc.array(fc.dictionary(fc.string(), json), { maxLength: 6 }),
        fc.constantFrom('array', 'list', 'lines', 'pages', 'array of pages'),
      )
      .map(([values, form]) => {
        const texts = values.map((value) => JSON.stringify(value));
        if (form === 'lines') return { values, text: texts.join('\n') };
        if (form === 'pages') {
          return { values, text: texts.map((text) => `{"results":[${text}], "next": "]}"}`).join('\n') };
        }
        if (form === 'array of pages') {
          const pages = texts.map((text) => `{"next": "]}", "Endpoints":[${text}], "more": [{}]}`);
          return { values, text: `[${pages.join(' ,')}\n]` };
        }
        const list = `[${texts.join(' ,\n')}]`;
        return { values, text: form === 'array' ? list : `{"x":"[", "results":${list}}` };
      })
      // An object that is alone might itself hold a list of that name.
      .filter(({ values }) => !values.some((value) => 'results' in value || 'Endpoints' in value));
    fc.assert(
      fc.property(document, fc.integer({ min: 1, max: 9 }), ({ values, text }, size) => {
        const bytes = Buffer.from(text);
        const options = { ...OPTIONS, maxBytes: 100_000 };
        const whole = split([bytes], options);
        expect(whole.map((record) => JSON.parse(record.bytes?.toString() ?? '') as unknown)).toEqual(
          values.map((value) => JSON.parse(JSON.stringify(value)) as unknown),
        );
        const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
          bytes.subarray(n * size, (n + 1) * size),
        );
        expect(split(pieces, options)).toEqual(whole);
        for (const [place, { endsAt, nextLine }] of whole.entries()) {
          const rest = split([bytes.subarray(endsAt)], { ...options, offset: endsAt, index: nextLine });
          expect(rest).toEqual(whole.slice(place + 1));
        }
      }),
      { numRuns: 200 },
    );
  });
});
