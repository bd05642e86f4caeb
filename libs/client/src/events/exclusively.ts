/** The browser's lock manager, as far as it is used. */
export interface LockManager {
  request<T>(name: string, options: { signal?: AbortSignal }, work: () => Promise<T>): Promise<T>;
}

/**
 * Does one thing at a time: in a browser one in all pages and workers of this origin that use the same name, elsewhere one of
 * this instance.
 */
export class Exclusive {
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly name: string) {}

  run<T>(work: () => Promise<T>): Promise<T> {
    const locks = lockManager();
    if (locks) return locks.request(this.name, {}, work);
    const mine = this.#last.then(work);
    this.#last = mine.catch(() => undefined);
    return mine;
  }
}

/** The lock manager of a page or worker; null where there is none, and in Node.js, whose processes share nothing. */
export function lockManager(): LockManager | null {
  const globals = globalThis as { navigator?: { locks?: LockManager }; location?: object };
  return globals.location ? (globals.navigator?.locks ?? null) : null;
}
