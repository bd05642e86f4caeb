import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { CorpusCase } from './corpus-case';
import type { RecordedAnswer } from './recorded-answer';

const FILE = resolve(__dirname, 'recording.ndjson.gz');

/** One line of the recording: an operation, an answer, and the cases that get it. */
type Line = [operation: string, answer: RecordedAnswer, names: string[]];

/** @returns the recorded answers by operation and name of the case */
export function readRecording(): Map<string, RecordedAnswer> {
  const lines = gunzipSync(readFileSync(FILE)).toString().trim().split('\n');
  const read = lines.map((line) => JSON.parse(line) as Line);
  return new Map(read.flatMap(([operation, answer, names]) => names.map((name) => [`${operation} ${name}`, answer])));
}

/** Writes the present answers. Equal answers make an equal file. */
export function writeRecording(cases: readonly CorpusCase[], answers: readonly RecordedAnswer[]): void {
  const lines = new Map<string, Line>();
  for (const [at, { operation, name }] of cases.entries()) {
    const answer = answers[at] as RecordedAnswer;
    const key = `${operation} ${JSON.stringify(answer)}`;
    const line: Line = lines.get(key) ?? [operation, answer, []];
    line[2].push(name);
    lines.set(key, line);
  }
  const text = [...lines.values()].map((line) => JSON.stringify(line)).sort();
  writeFileSync(FILE, gzipSync(`${text.join('\n')}\n`, { level: 9 }));
}

/** The answers that differ from the recording, by operation. New and removed cases count. Empty if there are none. */
export function differences(
  cases: readonly CorpusCase[],
  answers: readonly RecordedAnswer[],
  recording: ReadonlyMap<string, RecordedAnswer>,
): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  const note = (operation: string, text: string): void => void (found[operation] ??= []).push(text);
  const gone = new Set(recording.keys());
  for (const [at, { operation, name }] of cases.entries()) {
    const key = `${operation} ${name}`;
    gone.delete(key);
    const [before, now] = [saidBy(recording.get(key)), saidBy(answers[at])];
    if (before !== now) note(operation, `${name}\n    recorded ${before}\n    now      ${now}`);
  }
  for (const key of gone) note('(no longer asked)', key);
  return found;
}

function saidBy(answer: RecordedAnswer | undefined): string {
  if (!answer) return 'nothing';
  const { status, error, paths, body } = answer;
  return `${status} ${error ?? ''} ${JSON.stringify(paths ?? body ?? null)}`;
}
