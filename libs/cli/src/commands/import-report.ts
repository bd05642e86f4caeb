import { CommandFailure, EXIT } from '../terminal/failure';
import { plain } from '../terminal/output';

/** A line of a file, or an element of a JSON document, and what is wrong with it. */
export interface WrongLine {
  line?: number;
  index?: number;
  message: string;
}

/** The answer to an import. */
export interface ImportJob {
  status: 'uploading' | 'working' | 'done' | 'failed';
  reason?: string | null;
  lines: number;
  created: number;
  updated: number;
  unchanged: number;
  skipped: number;
  failed: number;
  /** Absent in answers of servers of before. */
  incomplete?: number;
  /** Absent in answers of servers of before. */
  missingColumns?: string[];
  /** Absent in answers of servers of before. */
  format?: string;
  /** Absent in answers of servers of before. */
  unreadColumns?: string[];
  /** At most the first hundred. Absent in answers of servers of before. */
  errors?: WrongLine[];
  validation?: { valid: number; invalid: number; unanswered: number; lastError: string | null } | null;
}

/** So many wrong lines are shown. */
const MOST_SHOWN = 10;

/** What a person reads about an import that ended: its counts, and the first lines that are wrong. */
export function reportOfImport(jobId: string, job: ImportJob): string[] {
  const { failed, incomplete = 0, errors = [] } = job;
  const shown = errors.slice(0, MOST_SHOWN).map(textOfWrong);
  const more = failed + incomplete - shown.length;
  const others = shown.length > 0 && more > 0 ? [`${more} more: ${namesEachLine(jobId)}`] : [];
  return [summaryOf(job), ...readingOf(job), ...shown, ...others];
}

/** What a person reads about one of them. */
export function textOfWrong({ line, index, message }: WrongLine): string {
  return `${line === undefined ? `element ${index}` : `line ${line}`}: ${plain(message)}`;
}

/** Reads the wrong lines of an import from the answer that lists them as NDJSON. */
export async function* readWrongLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<WrongLine> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') yield JSON.parse(line) as WrongLine;
  }
}

function namesEachLine(jobId: string): string {
  return `\`postrider devices errors ${jobId}\` names each line.`;
}

/** Says what the file was taken for: a wrong guess would otherwise be seen only when pushes do not arrive. */
function readingOf({ format, unreadColumns = [] }: ImportJob): string[] {
  if (format === undefined) return [];
  if (unreadColumns.length === 0) return [`Read as ${format}.`];
  return [`Read as ${format}, without the columns ${namesOf(unreadColumns)}: a mapping says what they contain.`];
}

function summaryOf(job: ImportJob): string {
  const { lines, created, updated, unchanged, skipped, failed, incomplete, missingColumns = [], validation } = job;
  const without = incomplete ? `; ${incomplete} imported without a wrong value` : '';
  const missing = missingColumns.length > 0 ? `; no line has ${namesOf(missingColumns)}` : '';
  const counts = `${countLines(lines)}: ${created} created, ${updated} updated, ${unchanged} unchanged, ${skipped} skipped, ${failed} failed${without}${missing}`;
  if (!validation) return counts;
  const { valid, invalid, unanswered } = validation;
  return `${counts}; FCM takes ${valid} of the tokens, refuses ${invalid}, said nothing of ${unanswered}`;
}

/** @throws CommandFailure if a line is wrong, no line is a device, or no line has a column of the mapping */
export function refuseIncomplete(jobId: string, job: ImportJob, mapping: unknown): void {
  const { status, reason, failed, skipped, created, updated, unchanged } = job;
  if (status === 'failed') throw new CommandFailure(`The import failed: ${reason ?? 'see its errors'}`, EXIT.refused);
  if (failed > 0) {
    throw new CommandFailure(sayNotImported(failed), EXIT.notInOrder, namesEachLine(jobId));
  }
  const { missingColumns = [] } = job;
  if (skipped === 0 || created + updated + unchanged > 0) {
    if (missingColumns.length === 0) return;
    const message = `No line has ${namesOf(missingColumns)}, which the mapping names`;
    throw new CommandFailure(message, EXIT.notInOrder, withoutThem(mapping, missingColumns));
  }
  const hint = `${SKIPPED}${tokenColumnOf(mapping)}`;
  const all = skipped === 1 ? 'its one line was' : `all ${skipped} lines were`;
  throw new CommandFailure(`No device was imported: ${all} skipped`, EXIT.notInOrder, hint);
}

/** A number of lines of a file, as a person reads it. */
export function countLines(lines: number): string {
  return lines === 1 ? '1 line' : `${lines} lines`;
}

/** Says how many lines of a file are missing. */
export function sayNotImported(lines: number): string {
  return `${countLines(lines)} ${lines === 1 ? 'was' : 'were'} not imported`;
}

const SKIPPED = 'A line is skipped if it has no token, or cannot be reached by push.';

function namesOf(columns: readonly string[]): string {
  return columns.map((column) => JSON.stringify(column)).join(', ');
}

/** Says which fields the devices were imported without. */
function withoutThem(mapping: unknown, missing: readonly string[]): string {
  const fields = Object.entries((mapping ?? {}) as Record<string, unknown>)
    .filter(([, source]) => ['string', 'number'].includes(typeof source) && missing.includes(String(source)))
    .map(([field]) => field);
  const guests = fields.includes('userId') ? ' A new device without a user belongs to a guest.' : '';
  return `The devices were imported without ${fields.join(', ')}.${guests} Correct the mapping and import the file again.`;
}

/** Says from where the mapping takes the token, because a wrong name there leaves every line without one. */
function tokenColumnOf(mapping: unknown): string {
  const source = (mapping as Record<string, unknown> | undefined)?.deviceToken;
  if (typeof source !== 'string' && typeof source !== 'number') return '';
  return ` The mapping takes the token from ${JSON.stringify(source)}: is this its name in the file?`;
}
