/** Steps for one device: far more than a text for a person takes, and about a millisecond. */
const MAX_STEPS = 5_000;
/** Characters read, made and written for one device: many payloads' worth. */
const MAX_CHARACTERS = 262_144;

/**
 * The work that the templates of one message may do for one device. Counted, not timed: what a template may do does not
 * depend on the machine or on how busy it is.
 */
export class WorkBudget {
  #steps = MAX_STEPS;
  #characters = MAX_CHARACTERS;

  /** @throws Error when the steps are used up */
  step(count: number): void {
    this.#steps -= count;
    if (this.#steps < 0) throw new Error(`takes more than ${MAX_STEPS} steps`);
  }

  /** Charges characters or elements. The name is that of liquidjs' limiter, whose filters call it. */
  use(count: number): void {
    if (!(count > 0)) return;
    this.#characters -= count;
    if (this.#characters < 0) throw new Error(`handles more than ${MAX_CHARACTERS} characters`);
  }

  /** What liquidjs calls with the time before each part of a template: we count parts instead. */
  check(): void {
    this.step(1);
  }

  /** Charges a value that was read or made, by its size. */
  charge(value: unknown): void {
    if (typeof value === 'string') this.use(value.length);
    else if (Array.isArray(value)) this.step(1 + (value.length >> 2));
  }
}
