import { badRequests } from '../testing/bad-requests';
import type { CorpusCase, Sample } from './corpus-case';
import { queryCases } from './query-cases';
import { ruleCases } from './rule-cases';
import { DEVICES } from './samples/devices';
import { KEEPING } from './samples/keeping';
import { OPERATING } from './samples/operating';
import { SENDING } from './samples/sending';
import { spoiled } from './spoil-sample';
import { uploadCases } from './upload-cases';
import { wholeBodies } from './whole-bodies';

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

/** The sends that another test knows to be refused. */
function refusedSends(): CorpusCase[] {
  return badRequests().map(({ endpoint, body, path }, at) => ({
    operation: `POST /api/push/${endpoint}`,
    name: `refused ${at}: ${path}`,
    url: `/push/${endpoint}?dryRun=true`,
    body: JSON.stringify(body),
  }));
}

/** Numbers the second and further cases of one name. */
function withOwnNames(cases: readonly CorpusCase[]): CorpusCase[] {
  const counts = new Map<string, number>();
  return cases.map((one) => {
    const key = `${one.operation} ${one.name}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count === 1 ? one : { ...one, name: `${one.name} (${count})` };
  });
}
