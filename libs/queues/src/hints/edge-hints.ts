import type { QueuePool } from '../client/queue-pool';
import { CLOSURES, hintChannel } from './hint-channel';

/** As many as the largest request has messages; an edge that does not hear of more finds them within a second. */
const MOST_WORDS = 10_000;

/**
 * Tells edges that messages wait for devices which are connected there, or that connections have to end. Best effort: an
 * edge looks into the ledger by itself every second, so a hint that is lost costs that second and nothing else. What is
 * told while Redis answers goes together in the next call.
 *
 * No `Batcher`: what waits for an edge is a set, in which a word stands once, and every edge has room of its own, so that it stays
 * small however long Redis is away.
 */
export class EdgeHints {
  readonly #waiting = new Map<string, Set<string>>();
  #isUnderWay = false;

  constructor(private readonly queues: QueuePool) {}

  /** A message waits there. Returns at once and never throws. */
  tell(edgeIds: readonly string[], messageId: string): void {
    this.#tell(edgeIds, messageId);
  }

  /** There are connections that they have to close. Returns at once and never throws. */
  tellClosures(edgeIds: readonly string[]): void {
    this.#tell(edgeIds, CLOSURES);
  }

  #tell(edgeIds: readonly string[], word: string): void {
    for (const edgeId of edgeIds) {
      const words = this.#waiting.get(edgeId);
      if (words === undefined) this.#waiting.set(edgeId, new Set([word]));
      else if (words.size < MOST_WORDS || word === CLOSURES) words.add(word);
    }
    if (this.#isUnderWay || this.#waiting.size === 0) return;
    this.#isUnderWay = true;
    setImmediate(() => void this.#flush());
  }

  async #flush(): Promise<void> {
    while (this.#waiting.size > 0) {
      const told = [...this.#waiting];
      this.#waiting.clear();
      await this.#publish(told).catch(() => undefined);
    }
    this.#isUnderWay = false;
  }

  async #publish(told: readonly [string, Set<string>][]): Promise<void> {
    await this.queues.publish(
      told.map(([edgeId, words]) => [hintChannel(edgeId, this.queues.prefix), [...words].join(' ')] as const),
    );
  }
}
