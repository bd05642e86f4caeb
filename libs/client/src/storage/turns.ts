/** Runs one work at a time, each after those that were given before it, whether they succeeded or not. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `work` when all earlier work has ended. @returns its result */
  run<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(work);
    this.#last = mine.catch(() => undefined);
    return mine;
  }
}
