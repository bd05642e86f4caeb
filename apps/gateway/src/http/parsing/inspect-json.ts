import type { ErrorDetail } from '@postrider/domain';

const MAX_DEPTH = 32;
const MAX_DETAILS = 20;
const MAX_PATH_LENGTH = 300;
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);
const LONE_SURROGATE = /\p{Surrogate}/u;
/** The only spellings under which NUL or half a surrogate pair gets through a JSON parser from valid UTF-8. */
const RISKY_ESCAPE = /\\u(?:0000|d[89a-f])/i;

/** What is wrong with a request. */
export interface JsonFindings {
  details: ErrorDetail[];
  /** Whether its fields may be read all the same, to say what else is wrong. */
  isReadable: boolean;
}

/**
 * Looks for what no request may hold, whatever it is for: keys that poison prototypes, nesting deeper than 32, numbers
 * beyond a double, and text that PostgreSQL cannot store (NUL, lone surrogates).
 *
 * @param text the JSON that `value` was parsed from: most texts show at a glance that no string need be looked at
 */
export function inspectJson(value: unknown, text: string): JsonFindings {
  const inspection = new Inspection(RISKY_ESCAPE.test(text));
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
      if (this.readsStrings && isUnstorable(value)) this.#report('must not hold NUL or half a surrogate pair');
    } else if (typeof value === 'number') {
      if (!Number.isFinite(value)) this.#report('is too large a number');
    } else if (typeof value === 'object' && value !== null) {
      if (depth > MAX_DEPTH) this.#refuse(`is nested deeper than ${MAX_DEPTH} levels`);
      else if (Array.isArray(value)) this.#visitArray(value, depth);
      else this.#visitObject(value as Record<string, unknown>, depth);
    }
  }

  #visitArray(items: readonly unknown[], depth: number): void {
    for (let index = 0; index < items.length; index++) {
      const item = items[index];
      // Long lists of user ids are the common case: nothing to see in a string that cannot be risky.
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
      else if (this.readsStrings && isUnstorable(key)) this.#report('must not hold NUL or half a surrogate pair');
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

function isUnstorable(text: string): boolean {
  return text.includes('\0') || LONE_SURROGATE.test(text);
}

/** A path in the caller's own words: `[3].data.items[0].name`. */
function formatPath(keys: readonly (string | number)[]): string {
  let path = '';
  for (const key of keys) {
    if (typeof key === 'number') path += `[${key}]`;
    else path += path === '' ? key : `.${key}`;
  }
  return path.slice(0, MAX_PATH_LENGTH);
}
