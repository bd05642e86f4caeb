interface Waiting<In, Out> {
  one: In;
  resolve: (out: Out) => void;
  reject: (error: unknown) => void;
}

/**
 * Does the same thing for many callers in common statements: what comes while one is under way goes together in the next.
 * So a busy process asks PostgreSQL once for hundreds of devices, and an idle one at once.
 */
export class Batcher<In, Out> {
  readonly #waiting: Waiting<In, Out>[] = [];
  #underWay = 0;
  #isCalled = false;

  /**
   * @param work gives the outcome of each, in their order
   * @param most how many go together
   * @param atOnce how many statements are under way at once
   */
  constructor(
    private readonly work: (together: In[]) => Promise<Out[]>,
    private readonly most = 500,
    private readonly atOnce = 1,
  ) {}

  /** Rejects with whatever `work` rejects with. */
  add(one: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ one, resolve, reject });
      this.#call();
    });
  }

  /** At the end of this turn of the event loop: what was read in it goes together. */
  #call(): void {
    if (this.#isCalled || this.#underWay >= this.atOnce) return;
    this.#isCalled = true;
    setImmediate(() => {
      this.#isCalled = false;
      void this.#next();
    });
  }

  async #next(): Promise<void> {
    const together = this.#waiting.splice(0, this.most);
    if (together.length === 0) return;
    this.#underWay++;
    try {
      const outcomes = await this.work(together.map(({ one }) => one));
      together.forEach(({ resolve }, place) => resolve(outcomes[place] as Out));
    } catch (error) {
      for (const { reject } of together) reject(error);
    }
    this.#underWay--;
    if (this.#waiting.length > 0) this.#call();
  }
}
