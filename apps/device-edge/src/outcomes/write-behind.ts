import { setTimeout as pause } from 'node:timers/promises';
import { isCollision, isDatabaseUnavailable } from '@postrider/persistence';

/** How items are written, and how many at a time. */
export interface WriteBehindOptions<Item> {
  write: (items: Item[]) => Promise<void>;
  /** These are written, or were refused. */
  onWritten: (items: readonly Item[]) => void;
  /** The item can never be written. */
  onRefused: (error: unknown, item: Item) => void;
  /** Items in one batch at most. */
  maxSize: number;
  /** Batches that are written at the same time at most. */
  concurrency: number;
  /** How long an item waits for others at most. */
  maxWaitMs: number;
  /** Items that wait or are being written at most. Further ones are not accepted. */
  capacity: number;
}

const RETRY_MS = 500;
const MOST_COLLISIONS = 4;

/**
 * Writes items in batches, in the background: `add` only appends to a list. While PostgreSQL is not available, it retries. A
 * batch that is refused is written in halves, so that only the bad item fails.
 */
export class WriteBehind<Item> {
  #waiting: Item[] = [];
  #batches = 0;
  #writing = 0;
  #isScheduled = false;

  constructor(private readonly options: WriteBehindOptions<Item>) {}

  /** Items that are not written yet. */
  get size(): number {
    return this.#waiting.length + this.#writing;
  }

  /** Returns at once. @returns false when there is no room */
  add(item: Item): boolean {
    if (this.size >= this.options.capacity) return false;
    this.#waiting.push(item);
    if (!this.#isScheduled && this.#batches < this.options.concurrency) this.#schedule(this.options.maxWaitMs);
    return true;
  }

  #schedule(afterMs: number): void {
    this.#isScheduled = true;
    setTimeout(() => {
      this.#isScheduled = false;
      void this.#writeNext();
    }, afterMs);
  }

  async #writeNext(): Promise<void> {
    const batch = this.#waiting.splice(0, this.options.maxSize);
    if (batch.length === 0) return;
    this.#batches++;
    this.#writing += batch.length;
    if (this.#waiting.length >= this.options.maxSize && this.#batches < this.options.concurrency) this.#schedule(0);
    await this.#write(batch);
    this.#writing -= batch.length;
    this.#batches--;
    if (this.#waiting.length > 0 && !this.#isScheduled)
      this.#schedule(this.#waiting.length >= this.options.maxSize ? 0 : this.options.maxWaitMs);
  }

  async #write(batch: Item[]): Promise<void> {
    for (let collisions = 1; ;) {
      try {
        await this.options.write(batch);
        break;
      } catch (error) {
        if (isDatabaseUnavailable(error)) await pause(RETRY_MS, undefined, { ref: false });
        else if (isCollision(error) && collisions++ < MOST_COLLISIONS) continue;
        else return this.#refused(batch, error);
      }
    }
    this.options.onWritten(batch);
  }

  async #refused(batch: Item[], error: unknown): Promise<void> {
    const [first] = batch;
    if (batch.length > 1) {
      const half = batch.length >> 1;
      await this.#write(batch.slice(0, half));
      await this.#write(batch.slice(half));
    } else if (first !== undefined) {
      this.options.onRefused(error, first);
      this.options.onWritten(batch);
    }
  }
}
