import { InvalidRequest, type ErrorDetail } from '@postrider/domain';

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
