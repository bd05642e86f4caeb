import { LRUCache } from 'lru-cache';
import { heldLink } from './held-link';
import type { ReceiptsRepository } from './receipts.repository';

/** Messages whose links are remembered: people follow those of the last few. */
const REMEMBERED = 1_000;

/** Names followed links as their messages hold them. Remembers the links of the last messages, which do not change. */
export class HeldLinks {
  readonly #known = new LRUCache<string, Promise<string[]>>({ max: REMEMBERED });

  constructor(private readonly receipts: ReceiptsRepository) {}

  /** @returns the template of a personal link; any other link as it is */
  async nameOf(appId: string, messageId: string, followed: string): Promise<string> {
    return heldLink(await this.#linksOf(appId, messageId), followed) ?? followed;
  }

  #linksOf(appId: string, messageId: string): Promise<string[]> {
    const key = `${appId} ${messageId}`;
    let links = this.#known.get(key);
    if (links === undefined) {
      links = this.receipts.findLinks(appId, messageId);
      this.#known.set(key, links);
      links.catch(() => this.#known.delete(key));
    }
    return links;
  }
}
