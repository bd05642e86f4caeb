import { isUtf8 } from 'node:buffer';
import {
  changedIntegers,
  DomainError,
  type ErrorDetail,
  InvalidRequest,
  isUnstorable,
  mayHoldUnstorable,
  UNSTORABLE,
} from '@postrider/domain';
import { noteProblems } from './problems';

const BYTE_ORDER_MARK = '\uFEFF';

const CHANGED = 'is an integer that a JSON number cannot represent exactly; send it as text';

/** What a route requires of its body, beside being JSON. */
export interface BodyRules {
  /** True if the reader of the body reports these problems together with its own (`noteProblems`). */
  isReadInFull: boolean;
  /** True if no integer may change by being parsed. */
  hasExactIntegers: boolean;
}

/**
 * Parses a request's body.
 *
 * @returns the value, or undefined if there is no body
 * @throws InvalidRequest for malformed JSON, invalid UTF-8, or problems that `inspectJson` finds
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

/** The position of the error, without the text: V8 quotes it, and it may contain somebody's message. */
function describe(error: Error): string {
  const position = /position (\d+)(?: \(line (\d+) column (\d+)\))?/.exec(error.message);
  if (!position) return 'it ends too early or holds an unexpected character';
  const [, at, line, column] = position;
  return line === undefined ? `at position ${at ?? ''}` : `at line ${line}, column ${column ?? ''}`;
}

const MAX_DEPTH = 32;
const MAX_DETAILS = 20;
const MAX_PATH_LENGTH = 300;
/** Names that no request may use. */
export const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** The problems of JSON in a request. */
interface JsonFindings {
  details: ErrorDetail[];
  /** True if its fields can still be read, to find further problems. */
  isReadable: boolean;
}

/**
 * Finds what no request may contain, whatever it is for: keys that poison prototypes, nesting deeper than 32, numbers
 * beyond a double, and text that PostgreSQL cannot store (NUL, lone surrogates).
 *
 * @param text the JSON that `value` was parsed from: a quick check of most texts shows that no string needs a check
 */
export function inspectJson(value: unknown, text: string): JsonFindings {
  const inspection = new Inspection(mayHoldUnstorable(text));
  inspection.visit(value, 1);
  return inspection;
}

class Inspection implements JsonFindings {
  readonly details: ErrorDetail[] = [];
  isReadable = true;
  readonly #keys: (string | number)[] = [];

  constructor(private readonly readsStrings: boolean) {}

  visit(value: unknown, depth: number): void {
    if (typeof value === 'string') {
      if (this.readsStrings && isUnstorable(value)) this.#report(UNSTORABLE);
    } else if (typeof value === 'number') {
      if (!Number.isFinite(value)) this.#report('is a number that is too large');
    } else if (typeof value === 'object' && value !== null) {
      if (depth > MAX_DEPTH) this.#refuse(`is nested deeper than ${MAX_DEPTH} levels`);
      else if (Array.isArray(value)) this.#visitArray(value, depth);
      else this.#visitObject(value as Record<string, unknown>, depth);
    }
  }

  #visitArray(items: readonly unknown[], depth: number): void {
    for (let index = 0; index < items.length; index++) {
      const item = items[index];
      // Long lists of user ids are the common case: strings are skipped if none can be risky.
      if (typeof item === 'string' && !this.readsStrings) continue;
      this.#keys.push(index);
      this.visit(item, depth + 1);
      this.#keys.pop();
    }
  }

  #visitObject(object: Record<string, unknown>, depth: number): void {
    for (const key of Object.keys(object)) {
      this.#keys.push(key);
      if (FORBIDDEN_KEYS.has(key)) this.#refuse('is not allowed as a key');
      else if (this.readsStrings && isUnstorable(key)) this.#report(UNSTORABLE);
      else this.visit(object[key], depth + 1);
      this.#keys.pop();
    }
  }

  #refuse(message: string): void {
    this.isReadable = false;
    this.#report(message);
  }

  #report(message: string): void {
    if (this.details.length < MAX_DETAILS) this.details.push({ path: formatPath(this.#keys), message });
  }
}

/** A path in the caller's own terms: `[3].data.items[0].name`. */
function formatPath(keys: readonly (string | number)[]): string {
  let path = '';
  for (const key of keys) {
    if (typeof key === 'number') path += `[${key}]`;
    else path += path === '' ? key : `.${key}`;
  }
  return path.slice(0, MAX_PATH_LENGTH);
}
