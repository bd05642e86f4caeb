import fc from 'fast-check';
import { mergeLines } from './edit-tags.service';
import type { RawRecord } from '@postrider/platform';
import { readCsv, readHeader, readNdjson, type LineEdit, type TagLine } from './read-lines';

const record = (text: string | Buffer, line = 1): RawRecord => ({
  line,
  nextLine: line + 1,
  endsAt: 0,
  bytes: Buffer.from(text),
  problem: null,
});
const COLUMNS = ['userId', 'tag', 'value', 'operation'];
const csv = (...texts: (string | Buffer)[]): TagLine[] =>
  readCsv(texts.map((text, index) => record(text, index + 1)), COLUMNS, 'add'); // prettier-ignore

describe('lines of a CSV file', () => {
  it('name a user, a tag, perhaps a value, perhaps what to do', () => {
    expect(csv('ada,vip', '"b,""en",city,Yazd', '', 'cleo,old,,remove')).toEqual([
      { line: 1, userId: 'ada', edit: { removed: [], added: [{ tag: 'vip', value: null }] } },
      { line: 2, userId: 'b,"en', edit: { removed: [], added: [{ tag: 'city', value: 'Yazd' }] } },
      { line: 4, userId: 'cleo', edit: { removed: ['old'], added: [] } },
    ]);
  });

  it('are refused one by one, each with its reason', () => {
    const problems = csv('ada', ',vip', `ada,${'x'.repeat(256)}`, 'a,b,c,d,e', 'a,b,,burn', 'a,"b"c', Buffer.from([97, 44, 255]), 'ok,fine', 'a\0,b'); // prettier-ignore
    expect(problems.map((line) => ('problem' in line ? line.problem : 'fine'))).toEqual([
      'tag must be 1 to 255 characters',
      'userId must be 1 to 255 characters',
      'tag must be 1 to 255 characters',
      'has more than 4 fields',
      'operation must be add or remove',
      'is not CSV: a quote stands where none may',
      'is not UTF-8',
      'fine',
      'userId must be 1 to 255 characters',
    ]);
  });

  it('may begin with a header, in any order of columns', () => {
    expect(readHeader(record('Tag,User_ID'))).toEqual({ kind: 'header', columns: ['tag', 'userId'] });
    expect(readHeader(record('ada,vip'))).toEqual({ kind: 'none', columns: COLUMNS });
    expect(readHeader(record('userId,tag,colour'))).toMatchObject({ kind: 'bad' });
    expect(readHeader(record('userId,tag,tag'))).toMatchObject({ kind: 'bad' });
    expect(readHeader(record('userId,value'))).toMatchObject({ kind: 'bad' });
  });
});

describe('lines of an NDJSON file', () => {
  const read = (value: unknown): TagLine | null =>
    readNdjson(record(typeof value === 'string' ? value : JSON.stringify(value)), 'add');

  it('name a user and what comes and goes', () => {
    expect(read({ userId: 'ada', tags: ['a'], remove: ['b'], values: { city: 'Yazd' } })).toEqual({
      line: 1,
      userId: 'ada',
      edit: {
        removed: ['b'],
        added: [
          { tag: 'a', value: null },
          { tag: 'city', value: 'Yazd' },
        ],
      },
    });
    expect(read('')).toBeNull();
  });

  it.each<[string, unknown]>([
    ['broken JSON', '{broken'],
    ['an array', '[]'],
    ['null', 'null'],
    ['a number', '7'],
    ['deep nesting', '['.repeat(100_000)],
    ['no user', { tags: ['a'] }],
    ['no tag', { userId: 'a' }],
    ['tags that are no array', { userId: 'a', tags: 'b' }],
    ['an empty tag', { userId: 'a', tags: [''] }],
    ['a tag that is no text', { userId: 'a', tags: [1] }],
    ['too many tags', { userId: 'a', tags: Array(1_001).fill('x') }],
    ['values that are no object', { userId: 'a', values: ['b'] }],
    ['a value that is no text', { userId: 'a', values: { b: 5 } }],
    ['an unknown field', { userId: 'a', tags: ['b'], extra: 1 }],
    ['a prototype', '{"__proto__":{"userId":"a"},"tags":["b"]}'],
  ])('are refused when they hold %s', (_, value) => {
    expect(read(value)).toMatchObject({ line: 1, problem: expect.any(String) });
  });
});

type Tags = Map<string, string | null>;

function carryOut(tags: Tags, { removed, added }: LineEdit): void {
  for (const tag of removed) tags.delete(tag);
  for (const { tag, value } of added) tags.set(tag, value ?? tags.get(tag) ?? null);
}

describe('merging lines', () => {
  it('comes to the same as carrying out one line after the other', () => {
    const tag = fc.constantFrom('a', 'b', 'c');
    const line = fc.record({
      line: fc.nat(),
      userId: fc.constantFrom('ada', 'ben'),
      edit: fc.record({
        removed: fc.array(tag, { maxLength: 2 }),
        added: fc.array(fc.record({ tag, value: fc.option(fc.constantFrom('1', '2')) }), { maxLength: 2 }),
      }),
    });
    const start = (): Tags => new Map([['a', '0'], ['b', null]]); // prettier-ignore
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        for (const { userId, removed, added, values } of mergeLines(lines)) {
          const [stepwise, atOnce] = [start(), start()];
          for (const one of lines) if (one.userId === userId) carryOut(stepwise, one.edit);
          carryOut(atOnce, { removed, added: added.map((name) => ({ tag: name, value: values[name] ?? null })) });
          expect(new Map([...atOnce].sort())).toEqual(new Map([...stepwise].sort()));
        }
      }),
    );
  });
});
