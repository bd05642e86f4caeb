import { InvalidRequest, type ErrorDetail, MAX_NAME_LENGTH, MOST_DETAILS, normaliseName } from '@postrider/domain';

/** Collects every bad place of a request, so that the caller gets all of them at once. */
export class RuleProblems {
  private readonly details: ErrorDetail[] = [];

  /**
   * Adds one bad place, in the caller's own field names. Returns null, so that a reader can `return problems.add(…)`.
   */
  add(path: string, message: string): null {
    if (this.details.length < MOST_DETAILS) this.details.push({ path, message });
    return null;
  }

  /** @throws InvalidRequest if anything was added */
  throwIfAny(): void {
    if (this.details.length > 0) throw new InvalidRequest(this.details);
  }
}

/** Names that reach an object's prototype if a path is followed carelessly. */
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

/** Reads the name of a field: 1 to 255 characters, in NFC. Null if it is bad, which is then added to `problems`. */
export function readName(value: unknown, path: string, problems: RuleProblems): string | null {
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
