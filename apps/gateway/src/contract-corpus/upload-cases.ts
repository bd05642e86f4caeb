import type { CorpusCase } from './corpus-case';

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

/** Files of tags and of codes: how they are announced and wrapped. What stands in them is worked after the answer. */
export function uploadCases(): CorpusCase[] {
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
