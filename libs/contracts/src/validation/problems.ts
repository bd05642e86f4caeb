import { type ErrorDetail, InvalidRequest, MOST_DETAILS } from '@postrider/domain';

const FOUND_BEFORE = new WeakMap<object, readonly ErrorDetail[]>();

/**
 * Stores problems of a request that were found before its fields were read, so that the reader of the fields reports
 * all of them. For bodies that are read by a reader with `Problems` of its own.
 */
export function noteProblems(body: object, details: readonly ErrorDetail[]): void {
  FOUND_BEFORE.set(body, details);
}

/** The problems of a body that `noteProblems` stored. */
export function problemsNotedOf(body: unknown): readonly ErrorDetail[] {
  return (typeof body === 'object' && body !== null ? FOUND_BEFORE.get(body) : undefined) ?? [];
}

/** Collects every bad field of a request, so that the caller gets all of them at once. */
export class Problems {
  readonly #details: ErrorDetail[] = [];
  readonly #paths = new Set<string>();

  /** @param body the request, which may have stored problems already (`noteProblems`) */
  constructor(body?: unknown) {
    this.addAll(problemsNotedOf(body));
  }

  /** One problem per field is enough: the first. */
  add(path: string, message: string): void {
    if (this.#details.length >= MOST_DETAILS || this.#paths.has(path)) return;
    this.#paths.add(path);
    this.#details.push({ path, message });
  }

  /** Notes several problems, as `add` does. */
  addAll(details: readonly ErrorDetail[]): void {
    for (const { path, message } of details) this.add(path, message);
  }

  /** True if further problems are no longer reported. */
  get isFull(): boolean {
    return this.#details.length >= MOST_DETAILS;
  }

  /** True if no field is bad so far. */
  get isEmpty(): boolean {
    return this.#details.length === 0;
  }

  /** The problems so far. */
  details(): ErrorDetail[] {
    return [...this.#details];
  }

  /** @throws InvalidRequest that names every bad field, if there is any */
  throwIfAny(): void {
    if (!this.isEmpty) throw new InvalidRequest(this.#details);
  }
}
