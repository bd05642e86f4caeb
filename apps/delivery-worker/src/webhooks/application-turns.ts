/** Lets each application have a few of this process's jobs at a time, so that one with slow receivers leaves room for others. */
export class ApplicationTurns {
  readonly #taken = new Map<string, number>();

  constructor(private readonly most: number) {}

  /** @returns whether there was one; it has to be given back */
  take(appId: string): boolean {
    const taken = this.#taken.get(appId) ?? 0;
    if (taken >= this.most) return false;
    this.#taken.set(appId, taken + 1);
    return true;
  }

  give(appId: string): void {
    const taken = (this.#taken.get(appId) ?? 1) - 1;
    if (taken > 0) this.#taken.set(appId, taken);
    else this.#taken.delete(appId);
  }
}
