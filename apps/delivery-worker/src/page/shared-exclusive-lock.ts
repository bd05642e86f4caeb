/** Work that is done by many at the same time, or by one with nobody beside it. */
export class AloneOrTogether {
  #together = 0;
  #isAlone = false;
  readonly #waitingTogether: (() => void)[] = [];
  readonly #waitingAlone: (() => void)[] = [];

  /** Works beside others; waits while somebody is alone, or waits to be. */
  async together<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isAlone || this.#waitingAlone.length > 0) {
      await new Promise<void>((go) => this.#waitingTogether.push(go));
    } else this.#together += 1;
    try {
      return await work();
    } finally {
      this.#together -= 1;
      this.#letOneGo();
    }
  }

  /** Works with nobody beside it, once those that work now have ended. Whoever waits to work together goes before the next. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    const turn = new Promise<void>((go) => this.#waitingAlone.push(go));
    this.#letOneGo();
    await turn;
    try {
      return await work();
    } finally {
      this.#isAlone = false;
      const all = this.#waitingTogether.splice(0);
      this.#together += all.length;
      for (const go of all) go();
      this.#letOneGo();
    }
  }

  #letOneGo(): void {
    if (this.#isAlone || this.#together > 0) return;
    const go = this.#waitingAlone.shift();
    if (go === undefined) return;
    this.#isAlone = true;
    go();
  }
}
