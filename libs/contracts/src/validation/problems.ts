import { type ErrorDetail, InvalidRequest } from '@postrider/domain';

/** As many as help a caller; a request of 10,000 bad elements must not become an answer of many megabytes. */
const MAX_DETAILS = 1_000;

const FOUND_BEFORE = new WeakMap<object, readonly ErrorDetail[]>();

/**
 * Notes what was found wrong with a request before anybody read its fields, so that whoever reads them answers with all of it.
 * For bodies that are read by a reader with `Problems` of their own.
 */
export function noteProblems(body: object, details: readonly ErrorDetail[]): void {
  FOUND_BEFORE.set(body, details);
}

/** What was noted about a body with `noteProblems`. */
export function problemsNotedOf(body: unknown): readonly ErrorDetail[] {
  return (typeof body === 'object' && body !== null ? FOUND_BEFORE.get(body) : undefined) ?? [];
}

/** Collects every bad field of a request, so that the caller reads all of them at once. */
export class Problems {
  readonly #details: ErrorDetail[] = [];
  readonly #paths = new Set<string>();

  /** @param body the request, with which something may have been found wrong already (`noteProblems`) */
  constructor(body?: unknown) {
    this.addAll(problemsNotedOf(body));
  }

  /** One problem a field is enough: the first. */
  add(path: string, message: string): void {
    if (this.#details.length >= MAX_DETAILS || this.#paths.has(path)) return;
    this.#paths.add(path);
    this.#details.push({ path, message });
  }

  addAll(details: readonly ErrorDetail[]): void {
    for (const { path, message } of details) this.add(path, message);
  }

  /** True if nothing that is added is told any more. */
  get isFull(): boolean {
    return this.#details.length >= MAX_DETAILS;
  }

  get isEmpty(): boolean {
    return this.#details.length === 0;
  }

  /** What was found so far. */
  details(): ErrorDetail[] {
    return [...this.#details];
  }

  /** @throws InvalidRequest that names every bad field, when there is any */
  throwIfAny(): void {
    if (!this.isEmpty) throw new InvalidRequest(this.#details);
  }
}
