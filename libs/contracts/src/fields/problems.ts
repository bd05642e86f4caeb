import { type ErrorDetail, InvalidRequest } from '@postrider/domain';

/** As many as help a caller; a request of 10,000 bad elements must not become an answer of many megabytes. */
const MAX_DETAILS = 1_000;

/** Collects every bad field of a request, so that the caller reads all of them at once. */
export class Problems {
  readonly #details: ErrorDetail[] = [];

  add(path: string, message: string): void {
    if (this.#details.length < MAX_DETAILS) this.#details.push({ path, message });
  }

  addAll(details: readonly ErrorDetail[]): void {
    for (const { path, message } of details) this.add(path, message);
  }

  get isEmpty(): boolean {
    return this.#details.length === 0;
  }

  /** @throws InvalidRequest that names every bad field, when there is any */
  throwIfAny(): void {
    if (!this.isEmpty) throw new InvalidRequest(this.#details);
  }
}
