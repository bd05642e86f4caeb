/** Runs work beside other work (shared), or alone (exclusive). */
export class SharedExclusiveLock {
  #sharing = 0;
  #isExclusive = false;
  readonly #waitingShared: (() => void)[] = [];
  readonly #waitingExclusive: (() => void)[] = [];

  /** Runs beside other shared work; waits while exclusive work runs or waits. */
  async shared<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isExclusive || this.#waitingExclusive.length > 0) {
      await new Promise<void>((start) => this.#waitingShared.push(start));
    } else this.#sharing += 1;
    try {
      return await work();
    } finally {
      this.#sharing -= 1;
      this.#startNextExclusive();
    }
  }

  /** Runs alone, after the running work has ended. Shared work that waits runs before the next exclusive work. */
  async exclusive<T>(work: () => Promise<T>): Promise<T> {
    const started = new Promise<void>((start) => this.#waitingExclusive.push(start));
    this.#startNextExclusive();
    await started;
    try {
      return await work();
    } finally {
      this.#isExclusive = false;
      const all = this.#waitingShared.splice(0);
      this.#sharing += all.length;
      for (const start of all) start();
      this.#startNextExclusive();
    }
  }

  #startNextExclusive(): void {
    if (this.#isExclusive || this.#sharing > 0) return;
    const start = this.#waitingExclusive.shift();
    if (start === undefined) return;
    this.#isExclusive = true;
    start();
  }
}
