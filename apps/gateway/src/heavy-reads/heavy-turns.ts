/** How many heavy reads of one application run at the same time. */
export const HEAVY_READS_OF_ONE = 2;

interface Waiting {
  appId: string;
  begin: () => void;
}

/**
 * Decides whose heavy read runs next in this process. An application has at most two turns. Among the waiting reads,
 * those of the application with the fewest turns go first, and among these the oldest: an application that asks without
 * a pause delays another by one read.
 */
export class HeavyTurns {
  readonly #running = new Map<string, number>();
  readonly #waiting: Waiting[] = [];
  #free: number;

  /** @param places how many reads run at the same time */
  constructor(places: number) {
    this.#free = places;
  }

  /**
   * Waits for a turn.
   *
   * @param signal ends the wait
   * @returns false if `signal` ended it; otherwise the caller must `end` the turn
   */
  take(appId: string, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const giveUp = (): void => {
        const place = this.#waiting.indexOf(waiting);
        if (place >= 0) this.#waiting.splice(place, 1);
        resolve(false);
      };
      const begin = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve(true);
      };
      const waiting = { appId, begin };
      if (signal.aborted) {
        resolve(false);
        return;
      }
      signal.addEventListener('abort', giveUp, { once: true });
      this.#waiting.push(waiting);
      this.#next();
    });
  }

  /** Ends a turn of the application. */
  end(appId: string): void {
    const left = this.#runningOf(appId) - 1;
    if (left > 0) this.#running.set(appId, left);
    else this.#running.delete(appId);
    this.#free++;
    this.#next();
  }

  #next(): void {
    while (this.#free > 0) {
      const next = this.#choose();
      if (!next) return;
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      this.#running.set(next.appId, this.#runningOf(next.appId) + 1);
      this.#free--;
      next.begin();
    }
  }

  #choose(): Waiting | undefined {
    let chosen: Waiting | undefined;
    let fewest = HEAVY_READS_OF_ONE;
    for (const waiting of this.#waiting) {
      const running = this.#runningOf(waiting.appId);
      if (running < fewest) [chosen, fewest] = [waiting, running];
    }
    return chosen;
  }

  #runningOf(appId: string): number {
    return this.#running.get(appId) ?? 0;
  }
}
