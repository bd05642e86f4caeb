import { badRequests } from '../testing/bad-requests';
import type { CorpusCase, Sample } from './corpus-case';
import { queryCases } from './query-cases';
import { ruleCases } from './rule-cases';
import { DEVICES } from './samples/devices';
import { KEEPING } from './samples/keeping';
import { OPERATING } from './samples/operating';
import { SENDING } from './samples/sending';
import { spoiled } from './spoil-sample';

const TEXTS = [
  '',
  'null',
  '[]',
  '{}',
  '"text"',
  '1',
  'true',
  '{',
  '{"a":1,"a":2}',
  '{"__proto__":1}',
  '\ufeff{}',
  '[[]]',
  '[null]',
];

/** Bodies that are not a body of the operation at all. */
function wholeBodies({ operation, url, body }: Sample): CorpusCase[] {
  const texts = [...TEXTS, `[${JSON.stringify(body)}]`].map((text, at): CorpusCase => ({
    operation,
    url,
    name: `body: ${at === TEXTS.length ? 'in a list' : JSON.stringify(text)}`,
    body: text,
  }));
  const types = ['text/plain', 'application/json; charset=latin1', 'application/x-www-form-urlencoded'].map(
    (type): CorpusCase => ({
      operation,
      url,
      name: `body: as ${type}`,
      headers: { 'content-type': type },
      body: JSON.stringify(body),
    }),
  );
  return [...texts, ...types, { operation, url, name: 'body: none' }];
}

const BULK = 'POST /api/installations/bulk/tags';
const TYPES = ['text/csv', 'application/x-ndjson', 'application/json', 'multipart/form-data'];
const PARTS = [
  ['a file', 'name="file"; filename="codes.csv"', 'A1\nA2\n'],
  ['a part with another name', 'name="codes"; filename="codes.csv"', 'A1\n'],
  ['a text', 'name="file"', 'A1\n'],
  ['no codes', 'name="file"; filename="codes.csv"', ''],
] as const;
const ASYNC = [
  '?async=true',
  '?async=1',
  '?async=TRUE',
  '?async=yes',
  '?async=',
  '?async=true&async=true',
  '?async=%00',
];

/** Files of tags and of codes: their content type and encoding. Their content is processed after the answer. */
function uploadCases(): CorpusCase[] {
  const tags = TYPES.map((type): CorpusCase => ({
    operation: BULK,
    name: `file: ${type}`,
    url: '/installations/bulk/tags?operation=add',
    headers: { 'content-type': type },
    body: 'ada,gold\n',
  }));
  const places = [
    ['POST /api/containers/updatePromoCodes/{trackId}', '/containers/updatePromoCodes/t'],
    ['POST /api/containers/updatePromoCodes/{trackId}', '/containers/updatePromoCodes/unknown'],
    ['POST /api/containers/updateGlobalPromoCodes', '/containers/updateGlobalPromoCodes'],
  ] as const;
  return [
    ...tags,
    ...places.flatMap(([operation, url]) => [
      ...PARTS.map((part) => uploaded(operation, `${url}?async=true`, part)),
      ...ASYNC.map((query) => uploaded(operation, `${url}${query}`, PARTS[3])),
    ]),
  ];
}

function uploaded(operation: string, url: string, [name, disposition, text]: (typeof PARTS)[number]): CorpusCase {
  return {
    operation,
    name: `file: ${name} to ${url}`,
    url,
    headers: { 'content-type': 'multipart/form-data; boundary=edge' },
    body: `--edge\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${text}\r\n--edge--\r\n`,
  };
}

/** Every request of the corpus, always the same ones in the same order. */
export function corpus(): CorpusCase[] {
  const samples = [...SENDING, ...DEVICES, ...KEEPING, ...OPERATING];
  const first = new Map<string, Sample>([...samples].reverse().map((sample) => [sample.operation, sample]));
  return withOwnNames([
    ...samples.flatMap(spoiled),
    ...[...first.values()].reverse().flatMap(wholeBodies),
    ...ruleCases(),
    ...refusedSends(),
    ...queryCases(),
    ...uploadCases(),
  ]);
}

/** The sends that must be refused according to another test. */
function refusedSends(): CorpusCase[] {
  return badRequests().map(({ endpoint, body, path }, at) => ({
    operation: `POST /api/push/${endpoint}`,
    name: `refused ${at}: ${path}`,
    url: `/push/${endpoint}?dryRun=true`,
    body: JSON.stringify(body),
  }));
}

/** Numbers the second and later cases with one name. */
function withOwnNames(cases: readonly CorpusCase[]): CorpusCase[] {
  const counts = new Map<string, number>();
  return cases.map((one) => {
    const key = `${one.operation} ${one.name}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count === 1 ? one : { ...one, name: `${one.name} (${count})` };
  });
}
