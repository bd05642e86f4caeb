/** An item that waits for its batch. `size` is its weight in a batch. */
export interface Sized {
  readonly size: number;
}

/** The items that wait, and the choice of the next batch. */
export interface WaitingItems<Entry extends Sized> {
  /** The sum of the sizes of the items that wait. */
  readonly size: number;
  push(entry: Entry): void;
  /**
   * Takes the next batch of `maxSize` at most. A single larger entry goes alone. Returns no items if none may go now.
   */
  take(maxSize: number): Entry[];
  /** Notes that a batch is done. */
  release(batch: readonly Entry[]): void;
}

/** Gives out items in the order in which they came. */
export class InOrder<Entry extends Sized> implements WaitingItems<Entry> {
  readonly #waiting: Entry[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(entry: Entry): void {
    this.#waiting.push(entry);
    this.#size += entry.size;
  }

  take(maxSize: number): Entry[] {
    const batch = this.#waiting.splice(0, countFitting(this.#waiting, maxSize, true));
    for (const { size } of batch) this.#size -= size;
    return batch;
  }

  release(): void {
    // Items without a key do not wait for the end of a batch.
  }
}

/**
 * Gives out the items of one key in the order in which they came: `maxOfKey` of them in a batch, and the next ones only
 * when that batch is done. Keys take turns: the rest of a key goes behind all others.
 */
export class InOrderOfKeys<Entry extends Sized> implements WaitingItems<Entry> {
  readonly #waiting = new Map<string, Entry[]>();
  readonly #busy = new Set<string>();
  #size = 0;

  constructor(
    private readonly keyOf: (entry: Entry) => string,
    private readonly maxOfKey: number,
  ) {}

  get size(): number {
    return this.#size;
  }

  push(entry: Entry): void {
    const key = this.keyOf(entry);
    const same = this.#waiting.get(key);
    if (same === undefined) this.#waiting.set(key, [entry]);
    else same.push(entry);
    this.#size += entry.size;
  }

  take(maxSize: number): Entry[] {
    const batch: Entry[] = [];
    const taken: [string, number][] = [];
    let room = maxSize;
    for (const [key, same] of this.#waiting) {
      if (room <= 0) break;
      if (this.#busy.has(key)) continue;
      const count = Math.min(this.maxOfKey, countFitting(same, room, batch.length === 0));
      const fitting = same.slice(0, count);
      batch.push(...fitting);
      room -= sizeOf(fitting);
      if (count > 0) taken.push([key, count]);
    }
    for (const [key, count] of taken) this.#begin(key, count);
    this.#size -= sizeOf(batch);
    return batch;
  }

  release(batch: readonly Entry[]): void {
    for (const entry of batch) this.#busy.delete(this.keyOf(entry));
  }

  #begin(key: string, count: number): void {
    const rest = this.#waiting.get(key)?.slice(count) ?? [];
    this.#busy.add(key);
    this.#waiting.delete(key);
    if (rest.length > 0) this.#waiting.set(key, rest);
  }
}

/** Returns how many of the first entries fit into `room`; at least one with `takesOne`. */
function countFitting(entries: readonly Sized[], room: number, takesOne: boolean): number {
  let size = 0;
  let count = 0;
  for (const entry of entries) {
    size += entry.size;
    if (size > room && !(takesOne && count === 0)) break;
    count++;
  }
  return count;
}

function sizeOf(entries: readonly Sized[]): number {
  let sum = 0;
  for (const { size } of entries) sum += size;
  return sum;
}
