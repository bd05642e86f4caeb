import { setTimeout as pause } from 'node:timers/promises';
import { isCollision, isDatabaseUnavailable } from '@postrider/persistence';
import { Batcher } from '@postrider/platform';

/** How items are written. */
interface WriteBehindOptions<Item> {
  write: (items: Item[]) => Promise<void>;
  onWritten: (items: readonly Item[]) => void;
  /** Called for an item that can never be written, in place of `onWritten`. */
  onRefused: (error: unknown, item: Item) => void;
  /** The most items in one batch. */
  maxSize: number;
  /** The most batches that are written at the same time. */
  concurrency: number;
  /** The longest time that an item waits for others. */
  maxWaitMs: number;
  /** The most items that wait or are being written. Further ones are not accepted. */
  capacity: number;
}

const RETRY_MS = 500;
const MOST_COLLISIONS = 4;

/**
 * Writes items in batches, in the background: a `Batcher` whose work is repeated while PostgreSQL is not available. A batch that is
 * refused is written in halves, so that only the bad item fails.
 */
export class WriteBehind<Item> {
  readonly #batcher: Batcher<Item>;

  constructor(private readonly options: WriteBehindOptions<Item>) {
    const { maxSize, concurrency, maxWaitMs, capacity } = options;
    this.#batcher = new Batcher({
      work: (items) => this.#write(items),
      splitsOn: () => true,
      onFailed: (error, item) => this.options.onRefused(error, item),
      maxItems: maxSize,
      concurrency,
      maxWaitMs,
      capacity,
    });
  }

  /** Items that are not written yet. */
  get size(): number {
    return this.#batcher.size;
  }

  /** Returns at once. @returns false if there is no room */
  add(item: Item): boolean {
    return this.#batcher.offer(item);
  }

  /** Resolves when everything is written or refused. */
  drain(): Promise<void> {
    return this.#batcher.drain();
  }

  async #write(items: Item[]): Promise<void> {
    for (let collisions = 1; ;) {
      try {
        await this.options.write(items);
        break;
      } catch (error) {
        if (isDatabaseUnavailable(error)) await pause(RETRY_MS, undefined, { ref: false });
        else if (!isCollision(error) || collisions++ >= MOST_COLLISIONS) throw error;
      }
    }
    this.options.onWritten(items);
  }
}
