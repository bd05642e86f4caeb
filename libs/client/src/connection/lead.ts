import { lockManager } from '../events/exclusively';

/**
 * Chooses one page of an origin to hold the connection: of two connections of one device the service keeps the later, so two
 * pages would throw each other out for ever. When the page that leads goes, the next one takes over.
 */
export class Lead {
  #giveUp: (() => void) | null = null;

  constructor(private readonly name: string) {}

  /** @param begin is called when this page leads, at once where there are no other pages */
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
    const lead = (): Promise<void> => {
      begin();
      return held;
    };
    // Given up before it was its turn: nothing is to be done.
    void locks.request(this.name, { signal: waiting.signal }, lead).catch(() => undefined);
  }

  /** Leaves the lead, or the wish for it. */
  give(): void {
    this.#giveUp?.();
    this.#giveUp = null;
  }
}
