import { isUtf8 } from 'node:buffer';
import { DomainError, type ErrorDetail, InvalidRequest } from '@postrider/domain';
import { noteProblems } from '@postrider/contracts';
import { changedIntegers } from './changed-integers';
import { inspectJson } from './inspect-json';

const BYTE_ORDER_MARK = '\uFEFF';

const CHANGED = 'is an integer that a JSON number cannot hold exactly: send it as text';

/** What a route asks of its body, beside being JSON. */
export interface BodyRules {
  /** Whether its reader answers for what is found here, with all else that is wrong (`noteProblems`). */
  isReadInFull: boolean;
  /** Whether no integer may be altered by being read. */
  hasExactIntegers: boolean;
}

/**
 * Parses a request's body.
 *
 * @returns the value, or undefined when there is no body
 * @throws InvalidRequest on malformed JSON, invalid UTF-8, or what `inspectJson` finds
 */
export function parseJsonBody(body: Buffer, rules?: BodyRules): unknown {
  if (body.length === 0) return undefined;
  if (!isUtf8(body)) throw malformed('it is not UTF-8');
  let text = body.toString('utf8');
  if (text.startsWith(BYTE_ORDER_MARK)) text = text.slice(1);
  const value = parse(text);
  const { details, isReadable } = inspectJson(value, text);
  if (rules?.hasExactIntegers === true && isReadable) {
    details.push(...changedIntegers(text).map((path) => ({ path, message: CHANGED })));
  }
  if (details.length > 0) refuse(value, details, rules?.isReadInFull === true && isReadable);
  return value;
}

/** Refuses a body now, or leaves that to its reader. */
function refuse(value: unknown, details: ErrorDetail[], isLeftToReader: boolean): void {
  const isForReader = isLeftToReader && typeof value === 'object' && value !== null;
  if (!isForReader) throw new InvalidRequest(details);
  noteProblems(value, details);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw malformed(describe(error as Error));
  }
}

function malformed(reason: string): DomainError {
  return new InvalidRequest([{ path: '', message: `is not valid JSON: ${reason}` }], 'The body is not valid JSON');
}

/** Where the text breaks, without repeating the text: V8 quotes it, and it may hold somebody's message. */
function describe(error: Error): string {
  const position = /position (\d+)(?: \(line (\d+) column (\d+)\))?/.exec(error.message);
  if (!position) return 'it ends too early or holds an unexpected character';
  const [, at, line, column] = position;
  return line === undefined ? `at position ${at ?? ''}` : `at line ${line}, column ${column ?? ''}`;
}
