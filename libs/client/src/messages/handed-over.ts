/** How many messages a page knows to have been handed. */
const MOST = 1_000;

/** Which messages this page was handed: two pages may hear of the same message at the same moment. The oldest are forgotten. */
export class HandedOver {
  readonly #ids = new Set<string>();

  /** Remembers a message. @returns whether it is new to this page */
  add(id: string): boolean {
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    const [oldest] = this.#ids;
    if (this.#ids.size > MOST && oldest !== undefined) this.#ids.delete(oldest);
    return true;
  }
}
