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

  /** True if a read of the application runs in this process. */
  isRunning(appId: string): boolean {
    return this.#running.has(appId);
  }

  /**
   * Waits for a turn.
   *
   * @param patience ends the wait if a read of the application runs at that time
   * @param longest ends the wait of an application that waits for others only
   * @returns false if the wait was ended; otherwise the caller must `end` the turn
   */
  take(appId: string, patience: AbortSignal, longest = patience): Promise<boolean> {
    return new Promise((resolve) => {
      const leave = (isMine: boolean): void => {
        patience.removeEventListener('abort', look);
        longest.removeEventListener('abort', look);
        resolve(isMine);
      };
      const look = (): void => {
        if (!longest.aborted && !this.isRunning(appId)) return;
        const place = this.#waiting.indexOf(waiting);
        if (place >= 0) this.#waiting.splice(place, 1);
        leave(false);
      };
      const waiting = { appId, begin: () => leave(true) };
      if (patience.aborted && (longest.aborted || this.isRunning(appId))) {
        resolve(false);
        return;
      }
      patience.addEventListener('abort', look);
      longest.addEventListener('abort', look);
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
