import type { QueuePool } from '../client/queue-pool';
import { hintChannel } from './hint-channel';

/** Nothing more is told at once: whoever hears of it reads the ledger anyway. */
const MOST_IDS = 500;

/**
 * Tells edges that messages wait for devices which are connected there. Best effort: an edge looks into the ledger by
 * itself every second, so a hint that is lost costs that second and nothing else. What is told while Redis answers goes
 * together in the next round.
 */
export class EdgeHints {
  readonly #waiting = new Map<string, Set<string>>();
  #isUnderWay = false;

  constructor(private readonly queues: QueuePool) {}

  /** Returns at once and never throws. */
  tell(edgeIds: readonly string[], messageId: string): void {
    for (const edgeId of edgeIds) {
      const ids = this.#waiting.get(edgeId);
      if (ids === undefined) this.#waiting.set(edgeId, new Set([messageId]));
      else if (ids.size < MOST_IDS) ids.add(messageId);
    }
    if (this.#isUnderWay || this.#waiting.size === 0) return;
    this.#isUnderWay = true;
    setImmediate(() => void this.#flush());
  }

  async #flush(): Promise<void> {
    while (this.#waiting.size > 0) {
      const round = [...this.#waiting];
      this.#waiting.clear();
      await this.#publish(round).catch(() => undefined);
    }
    this.#isUnderWay = false;
  }

  async #publish(round: readonly [string, Set<string>][]): Promise<void> {
    await this.queues.publish(
      round.map(([edgeId, ids]) => [hintChannel(edgeId, this.queues.prefix), [...ids].join(' ')] as const),
    );
  }
}
