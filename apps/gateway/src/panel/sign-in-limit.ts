const MOST_ADDRESSES = 10_000;

/**
 * Slows guessing down: after `most` wrong tokens within `windowMs`, an address waits until the window is over. Right tokens
 * are not counted. Time is given, so that a test needs no waiting.
 */
export class SignInLimit {
  readonly #failures = new Map<string, { count: number; until: number }>();

  constructor(
    private readonly most: number,
    private readonly windowMs: number,
  ) {}

  /** @returns 0, or the seconds until this address may try again */
  waitOf(address: string, nowMs: number): number {
    const found = this.#failures.get(address);
    if (!found || found.until <= nowMs || found.count < this.most) return 0;
    return Math.max(1, Math.ceil((found.until - nowMs) / 1_000));
  }

  /** Notes a wrong token. The addresses that have been noted longest make room when there are too many. */
  fail(address: string, nowMs: number): void {
    const found = this.#failures.get(address);
    const isRunning = found !== undefined && found.until > nowMs;
    this.#failures.delete(address);
    this.#failures.set(
      address,
      isRunning ? { ...found, count: found.count + 1 } : { count: 1, until: nowMs + this.windowMs },
    );
    if (this.#failures.size <= MOST_ADDRESSES) return;
    for (const oldest of this.#failures.keys()) {
      this.#failures.delete(oldest);
      return;
    }
  }
}
