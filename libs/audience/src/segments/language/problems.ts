import { InvalidRequest, type ErrorDetail, MAX_NAME_LENGTH, normaliseName } from '@postrider/domain';

/** As many as help a caller; a body of 10,000 bad values must not become an answer of megabytes. */
const MAX_DETAILS = 1_000;

/** Gathers every bad place of a request, so that the caller is told all of them at once. */
export class Problems {
  private readonly details: ErrorDetail[] = [];

  /** Notes one bad place, in the caller's own field names. Gives null, so that a reader can `return problems.add(…)`. */
  add(path: string, message: string): null {
    if (this.details.length < MAX_DETAILS) this.details.push({ path, message });
    return null;
  }

  /** @throws InvalidRequest when anything was noted */
  throwIfAny(): void {
    if (this.details.length > 0) throw new InvalidRequest(this.details);
  }
}

/** Names that reach an object's prototype where a path is followed carelessly. */
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

/** Reads the name of a field: 1 to 255 characters, in NFC. Null when it was bad, which is noted then. */
export function readName(value: unknown, path: string, problems: Problems): string | null {
  if (typeof value !== 'string') return problems.add(path, 'must be the name of a field, as text');
  const name = normaliseName(value);
  if (name === null) {
    return problems.add(path, `must be 1 to ${MAX_NAME_LENGTH} characters without NUL and lone surrogates`);
  }
  if (name.split('.').some((part) => FORBIDDEN.has(part))) {
    return problems.add(path, 'must not hold __proto__, constructor or prototype');
  }
  if (name === 'tags.') return problems.add(path, 'must name a tag after "tags."');
  return name;
}
