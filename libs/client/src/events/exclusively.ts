import { Turns } from '../storage/turns';

/** The part of the browser's lock manager that is used. */
export interface LockManager {
  request<T>(name: string, options: { signal?: AbortSignal }, work: () => Promise<T>): Promise<T>;
}

/**
 * Does one thing at a time: in a browser one in all pages and workers of this origin that use the same name, elsewhere one of
 * this instance. So too in a page that the browser denies locks, because it may store nothing: it shares nothing with others.
 */
export class Exclusive {
  readonly #turns = new Turns();

  constructor(private readonly name: string) {}

  /** Runs `work` when no other work of this name runs, in this page or another. @returns its result */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const locks = lockManager();
    if (locks === null) return this.#turns.run(work);
    let hasBegun = false;
    try {
      return await locks.request(this.name, {}, () => {
        hasBegun = true;
        return work();
      });
    } catch (error) {
      if (hasBegun) throw error;
      return this.#turns.run(work);
    }
  }
}

/** The lock manager of a page or worker; null where there is none, and in Node.js, whose processes share nothing. */
function lockManager(): LockManager | null {
  const globals = globalThis as { navigator?: { locks?: LockManager }; location?: object };
  return globals.location ? (globals.navigator?.locks ?? null) : null;
}

/**
 * Chooses one page of an origin to hold the connection: of two connections of one device the service keeps the later, so two
 * pages would throw each other out for ever. When the page that leads goes, the next one takes over.
 */
export class Lead {
  #giveUp: (() => void) | null = null;

  constructor(private readonly name: string) {}

  /** @param begin is called when this page leads, at once if there are no other pages */
  take(begin: () => void): void {
    if (this.#giveUp !== null) return;
    const locks = lockManager();
    const waiting = new AbortController();
    const held = new Promise<void>((release) => {
      this.#giveUp = () => {
        waiting.abort();
        release();
      };
    });
    if (locks === null) {
      begin();
      return;
    }
    let hasBegun = false;
    const lead = (): Promise<void> => {
      hasBegun = true;
      begin();
      return held;
    };
    void locks.request(this.name, { signal: waiting.signal }, lead).catch(() => {
      // Given up before it was its turn: nothing is to be done. Else the browser denies locks: this page stands alone.
      if (!waiting.signal.aborted && !hasBegun) void lead();
    });
  }

  /** Leaves the lead, or the wish for it. */
  give(): void {
    this.#giveUp?.();
    this.#giveUp = null;
  }
}
