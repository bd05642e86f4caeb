import { isBeingErased, isCollision, isDatabaseUnavailable, isLockedOut } from '@postrider/persistence';
import type { Logger } from '@postrider/platform';

/** How requests that come together are worked together. */
export interface RoundPlan<Ask, Answer> {
  /** What a log calls it. */
  name: string;
  /** Rounds under way at once. While they run, what comes waits and goes in the next. */
  roundsAtOnce: number;
  /** The most that one round takes on: it should be over within milliseconds. */
  mostAsks: number;
  /** Of what has the same key, rounds take a turn each: `mostOfKey` of it in one, and only one at a time. */
  keyOf: (ask: Ask) => string;
  mostOfKey: number;
  /** Answers all that it is given, in that order; null: this one has to be done alone. An error undoes the whole round. */
  work: (asks: readonly Ask[]) => Promise<readonly (Answer | null)[]>;
}

interface Waiting<Ask, Answer> {
  ask: Ask;
  resolve: (answer: Answer | null) => void;
  reject: (error: unknown) => void;
}

/**
 * Lets requests that come together share statements and commits: a busy gateway commits once for many, an idle one at once.
 * What has the same key is taken in the order in which it came.
 */
export class Rounds<Ask, Answer> {
  readonly #waiting = new Map<string, Waiting<Ask, Answer>[]>();
  readonly #busy = new Set<string>();
  #underWay = 0;
  #isCalled = false;

  constructor(
    private readonly plan: RoundPlan<Ask, Answer>,
    private readonly logger: Logger,
  ) {}

  /**
   * @returns the answer; null when nothing was done and the caller has to do it by itself: another request of the same
   *   round failed, or this one cannot be shared
   * @throws the database's error when it is unavailable: nobody knows then what was done
   */
  give(ask: Ask): Promise<Answer | null> {
    return new Promise((resolve, reject) => {
      const key = this.plan.keyOf(ask);
      const same = this.#waiting.get(key);
      if (same === undefined) this.#waiting.set(key, [{ ask, resolve, reject }]);
      else same.push({ ask, resolve, reject });
      this.#call();
    });
  }

  /** At the end of this turn of the event loop: requests that were read in it go together. */
  #call(): void {
    if (this.#isCalled || this.#underWay >= this.plan.roundsAtOnce) return;
    this.#isCalled = true;
    setImmediate(() => {
      this.#isCalled = false;
      void this.#workNext();
    });
  }

  async #workNext(): Promise<void> {
    const { keys, round } = this.#take();
    if (round.length === 0) return;
    this.#underWay++;
    for (const key of keys) this.#busy.add(key);
    await this.#settle(round);
    for (const key of keys) this.#busy.delete(key);
    this.#underWay--;
    if (this.#waiting.size > 0) this.#call();
  }

  #take(): { keys: string[]; round: Waiting<Ask, Answer>[] } {
    const keys: string[] = [];
    const round: Waiting<Ask, Answer>[] = [];
    for (const [key, same] of this.#waiting) {
      if (round.length >= this.plan.mostAsks) break;
      if (this.#busy.has(key)) continue;
      keys.push(key);
      round.push(...same.splice(0, this.plan.mostOfKey));
    }
    for (const key of keys) {
      const rest = this.#waiting.get(key) ?? [];
      this.#waiting.delete(key);
      // Behind all others.
      if (rest.length > 0) this.#waiting.set(key, rest);
    }
    return { keys, round };
  }

  async #settle(round: readonly Waiting<Ask, Answer>[]): Promise<void> {
    try {
      const answers = await this.plan.work(round.map(({ ask }) => ask));
      round.forEach(({ resolve }, place) => resolve(answers[place] ?? null));
    } catch (error) {
      const isUnknown = isDatabaseUnavailable(error) && !isCollision(error) && !isLockedOut(error);
      if (!isUnknown && !isBeingErased(error))
        this.logger.warn({ err: error, round: this.plan.name, size: round.length }, 'round.failed');
      for (const { resolve, reject } of round) {
        if (isUnknown) reject(error);
        else resolve(null);
      }
    }
  }
}
