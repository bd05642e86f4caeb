/** Answers are looked at a minute at a time: long enough for a page's worth, short enough that a mistake ends with it. */
const WINDOW_MS = 60_000;
/** With fewer verdicts (taken or dead) a share says nothing. */
const LEAST_VERDICTS = 20;
/** Tokens die one by one: when more than half of those asked are dead, it is not the tokens. */
const SUSPICIOUS_SHARE = 0.5;
/** A route that took a message this recently has the right project and credentials: its few verdicts are believed. */
const TRUSTED_FOR_MS = 3_600_000;
/** So many tokens are believed dead by a route that has taken nothing: an application with a handful of devices. */
const BELIEVED_UNTRUSTED = 3;

/** What a route answered about the tokens of one page. */
export interface TokenVerdicts {
  accepted: number;
  dead: number;
}

/**
 * Counts how many of a route's answers call a token dead. When most of many say so at once, or a route says nothing else, it
 * is the credentials, the project or the vendor that is wrong, and no token should be switched off for it.
 */
export class TokenWatch {
  #accepted = 0;
  #dead = 0;
  #since = 0;
  #trustedUntil = -Infinity;
  #believed = 0;

  /** Takes a page's verdicts. @returns whether its dead tokens are to be believed */
  believes({ accepted, dead }: TokenVerdicts, now: number): boolean {
    if (now - this.#since > WINDOW_MS) {
      this.#since = now;
      this.#accepted = 0;
      this.#dead = 0;
    }
    this.#accepted += accepted;
    this.#dead += dead;
    if (accepted > 0) {
      this.#trustedUntil = now + TRUSTED_FOR_MS;
      this.#believed = 0;
    }
    if (dead === 0) return true;
    if (this.#accepted + this.#dead >= LEAST_VERDICTS) return this.deadShare <= SUSPICIOUS_SHARE;
    return now < this.#trustedUntil || this.#isAmongTheFirst(dead);
  }

  /** The share of dead tokens among the verdicts of the present minute. */
  get deadShare(): number {
    const verdicts = this.#accepted + this.#dead;
    return verdicts === 0 ? 0 : this.#dead / verdicts;
  }

  /** Starts anew: the credentials changed, and with them perhaps the project. */
  reset(): void {
    this.#since = 0;
    this.#accepted = 0;
    this.#dead = 0;
    this.#trustedUntil = -Infinity;
    this.#believed = 0;
  }

  #isAmongTheFirst(dead: number): boolean {
    if (this.#believed + dead > BELIEVED_UNTRUSTED) return false;
    this.#believed += dead;
    return true;
  }
}
