import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { TestClock } from '@postrider/testing';
import { startTestGateway } from '../testing/test-gateway';
import { corpus } from './corpus';
import type { CorpusCase } from './corpus-case';
import { FillIn, KNOWN } from './replay-corpus';
import type { RecordedAnswer } from './recorded-answer';
import { readRecording } from './recording';

/** `RECORD_CORPUS=1` writes the list of known differences anew, from the recording of the corpus. */
const RECORDS = process.env.RECORD_CORPUS === '1';
const FILE = resolve(__dirname, 'document-differences.ndjson');

interface Document {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema?: object }> } }>>;
  components: object;
}
type Verdict = 'takes' | 'refuses';

describe('the API document', () => {
  let document: Document;

  beforeAll(async () => {
    const gateway = await startTestGateway({ publicDocs: true });
    document = (await gateway.request('GET', '/api/openapi.json')).body as Document;
    await gateway.close();
  });

  it('takes and refuses the bodies that the gateway does, but for what is known', () => {
    const found = differencesFrom(document, readRecording());
    if (RECORDS) writeFileSync(FILE, written(found));
    const known = new Set(readFileSync(FILE, 'utf8').trim().split('\n').flatMap(namesOf));
    const now = new Set(written(found).trim().split('\n').flatMap(namesOf));
    // The list may only become shorter: a difference that no longer exists has to be removed.
    expect({
      appeared: [...now].filter((name) => !known.has(name)),
      settled: [...known].filter((name) => !now.has(name)),
    }).toEqual({ appeared: [], settled: [] });
  });
});

/** The names of cases by operation and verdict for which the document and the gateway disagree. */
function differencesFrom(document: Document, recording: ReadonlyMap<string, RecordedAnswer>): Map<string, string[]> {
  const schemas = schemasOf(document);
  const fillIn = new FillIn({ message: KNOWN.other, webhook: KNOWN.other }, new TestClock());
  const found = new Map<string, string[]>();
  for (const one of corpus()) {
    const schema = schemas(one.operation);
    const gateway = verdictOf(one, recording.get(`${one.operation} ${one.name}`));
    const body =
      gateway === undefined ? undefined : parsed(fillIn.into(one.body ?? '', { case: 'shop', tracker: 't' }));
    if (schema === undefined || body === undefined) continue;
    const documented: Verdict = schema(body.value) ? 'takes' : 'refuses';
    if (documented === gateway) continue;
    const key = JSON.stringify([one.operation, `the document ${documented}`]);
    found.set(key, [...(found.get(key) ?? []), one.name]);
  }
  return found;
}

/** The gateway's verdict about a body. Undefined if its answer has other reasons. */
function verdictOf({ name, headers, body }: CorpusCase, answer: RecordedAnswer | undefined): Verdict | undefined {
  if (body === undefined || headers || name.startsWith('query: ') || !answer) return undefined;
  if (answer.status < 300) return 'takes';
  return answer.error === 'InvalidRequest' && answer.status === 400 ? 'refuses' : undefined;
}

function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

function schemasOf({ paths, components }: Document): (operation: string) => ValidateFunction | undefined {
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  addFormats(ajv);
  ajv.addSchema({ $id: 'document', components });
  const compiled = new Map<string, ValidateFunction>();
  return (operation) => {
    const [method = '', path = ''] = operation.split(' ');
    const schema = paths[path]?.[method.toLowerCase()]?.requestBody?.content['application/json']?.schema;
    if (schema === undefined) return undefined;
    const own = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as object;
    const validate = compiled.get(operation) ?? ajv.compile(own);
    compiled.set(operation, validate);
    return validate;
  };
}

function written(found: ReadonlyMap<string, readonly string[]>): string {
  return [...found].map(([key, names]) => `${JSON.stringify([...(JSON.parse(key) as string[]), names])}\n`).join('');
}

/** Each name on a line of the list, with its operation and verdict. */
function namesOf(line: string): string[] {
  if (line === '') return [];
  const [operation, says, names] = JSON.parse(line) as [string, string, string[]];
  return names.map((name) => `${operation} ${says}: ${name}`);
}
