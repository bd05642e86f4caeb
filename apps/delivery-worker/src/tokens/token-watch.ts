const WINDOW_MS = 60_000;
const LEAST_ANSWERS = 20;
const SUSPICIOUS_SHARE = 0.5;

/**
 * Counts how many of a route's answers call a token dead. Tokens die one by one; when most of many answers say so at once,
 * it is the credentials, the project or the vendor that is wrong, and no token should be switched off for it.
 */
export class TokenWatch {
  #answers = 0;
  #dead = 0;
  #since = 0;

  /** Takes the answers of a page, of which `dead` called the token dead. */
  count(answers: number, dead: number, now: number): void {
    if (now - this.#since > WINDOW_MS) {
      this.#since = now;
      this.#answers = 0;
      this.#dead = 0;
    }
    this.#answers += answers;
    this.#dead += dead;
  }

  /** The share of dead tokens in the present minute. */
  get deadShare(): number {
    return this.#answers === 0 ? 0 : this.#dead / this.#answers;
  }

  get isSuspicious(): boolean {
    return this.#answers >= LEAST_ANSWERS && this.deadShare > SUSPICIOUS_SHARE;
  }
}
