import { InOrder, InOrderOfKeys, type Sized, type WaitingItems } from './waiting-items';

/** The answers of a batch, one per item in order; ignored if the items have no answer. */
type Answers<Answer> = [Answer] extends [undefined] ? unknown : readonly Answer[];

/** How items are processed in batches. */
export interface BatcherOptions<Item, Answer = undefined> {
  /** Processes a batch. An error fails all of its items, unless `splitsOn` returns true for it. */
  work: (items: Item[]) => Promise<Answers<Answer>>;
  /** The most items in one batch; default 500. A larger item goes alone. */
  maxItems?: number;
  /** An item counts this much in `maxItems`; default 1. */
  sizeOf?: (item: Item) => number;
  /** The most batches that are under way at once; default 1. */
  concurrency?: number;
  /**
   * How long an item waits for others at most, if no batch is full before. Default 0: until the end of this turn of the
   * event loop, so that items that were read in one turn go together.
   */
  maxWaitMs?: number;
  /**
   * The shortest time from the beginning of a batch to the next one, unless that one is full; default 0. So a busy
   * process makes fewer and larger batches, and an item that comes to an idle process does not wait.
   */
  apartMs?: number;
  /** The same after a batch of at least so many items: the process is so busy that larger batches pay. */
  busy?: { items: number; apartMs: number };
  /** The most items that wait or are under way; default: no limit. */
  capacity?: number;
  /**
   * Items of one key are processed in the order in which they came, `maxItems` of them in a batch, and in one batch at
   * a time.
   */
  perKey?: { keyOf: (item: Item) => string; maxItems: number };
  /**
   * True if a batch that failed with this error is processed again in halves, so that only the bad item fails. Only for
   * errors that undo the whole batch.
   */
  splitsOn?: (error: unknown) => boolean;
  /** Called for an item that was offered, and failed. */
  onFailed?: (error: unknown, item: Item) => void;
}

/** The batcher holds as many items as it may. */
export class BatcherFull extends Error {
  constructor(capacity: number) {
    super(`${capacity} items wait already`);
    this.name = 'BatcherFull';
  }
}

interface Entry<Item, Answer> extends Sized {
  item: Item;
  /** Null: the item was offered, and no caller waits for its answer. */
  caller: { resolve: (answer: Answer) => void; reject: (error: unknown) => void } | null;
}

const MAX_ITEMS = 500;

/**
 * Processes items of many callers in common batches: items that come while batches are under way go together in the
 * next one. So a busy process asks PostgreSQL once for hundreds of devices, and an idle process asks at once. Items go
 * in the order in which they came; with `perKey`, keys take turns.
 */
export class Batcher<Item, Answer = undefined> {
  readonly #waiting: WaitingItems<Entry<Item, Answer>>;
  readonly #maxItems: number;
  readonly #concurrency: number;
  readonly #capacity: number;
  #count = 0;
  #underWay = 0;
  #isCalled = false;
  /** When the last batch began, from `performance.now()`. */
  #begunAt = -Infinity;
  /** How many items it had. */
  #lastItems = 0;
  #timer: NodeJS.Timeout | undefined;
  #drained: (() => void)[] = [];

  constructor(private readonly options: BatcherOptions<Item, Answer>) {
    const { maxItems = MAX_ITEMS, concurrency = 1, capacity = Infinity, perKey } = options;
    this.#maxItems = maxItems;
    this.#concurrency = concurrency;
    this.#capacity = capacity;
    this.#waiting = perKey ? new InOrderOfKeys(({ item }) => perKey.keyOf(item), perKey.maxItems) : new InOrder();
  }

  /** How many items wait or are under way. */
  get size(): number {
    return this.#count;
  }

  /** @throws BatcherFull; what `work` throws */
  add(item: Item): Promise<Answer> {
    if (this.#count >= this.#capacity) return Promise.reject(new BatcherFull(this.#capacity));
    return new Promise((resolve, reject) => this.#push(item, { resolve, reject }));
  }

  /** Adds an item whose answer no caller waits for. @returns false if there is no room */
  offer(item: Item): boolean {
    if (this.#count >= this.#capacity) return false;
    this.#push(item, null);
    return true;
  }

  /** Begins the items that wait, and resolves as soon as none waits or is under way. Never rejects. */
  drain(): Promise<void> {
    if (this.#count === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#drained.push(resolve);
      this.#schedule();
    });
  }

  #push(item: Item, caller: Entry<Item, Answer>['caller']): void {
    this.#count++;
    this.#waiting.push({ item, caller, size: this.options.sizeOf?.(item) ?? 1 });
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isCalled || this.#underWay >= this.#concurrency || this.#waiting.size === 0) return;
    const waitMs = this.#waiting.size < this.#maxItems && this.#drained.length === 0 ? this.#waitMs() : 0;
    if (waitMs > 0) {
      this.#timer ??= setTimeout(() => this.#begin(), waitMs);
      return;
    }
    this.#isCalled = true;
    setImmediate(() => this.#begin());
  }

  /** Returns how long the waiting items have to wait for others. */
  #waitMs(): number {
    const { maxWaitMs = 0, busy } = this.options;
    const apartMs = (busy && this.#lastItems >= busy.items ? busy.apartMs : this.options.apartMs) ?? 0;
    return apartMs === 0 ? maxWaitMs : Math.max(maxWaitMs, this.#begunAt + apartMs - performance.now());
  }

  #begin(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isCalled = false;
    if (this.#underWay >= this.#concurrency) return;
    const batch = this.#waiting.take(this.#maxItems);
    // All waiting items have keys that are under way.
    if (batch.length === 0) return;
    this.#begunAt = performance.now();
    this.#lastItems = batch.length;
    this.#underWay++;
    void this.#run(batch);
    this.#schedule();
  }

  async #run(batch: Entry<Item, Answer>[]): Promise<void> {
    await this.#settle(batch);
    this.#waiting.release(batch);
    this.#underWay--;
    if (this.#count === 0) for (const resolve of this.#drained.splice(0)) resolve();
    this.#schedule();
  }

  async #settle(batch: readonly Entry<Item, Answer>[]): Promise<void> {
    try {
      // Undefined if items have no answer.
      const answers = (await this.options.work(batch.map(({ item }) => item))) as readonly Answer[] | undefined;
      // Subtracted before callers get their answers, so that `size` and `add` already see the free room.
      this.#count -= batch.length;
      batch.forEach(({ caller }, place) => caller?.resolve(answers?.[place] as Answer));
    } catch (error) {
      if (batch.length > 1 && this.options.splitsOn?.(error) === true) await this.#settleHalves(batch);
      else for (const entry of batch) this.#fail(entry, error);
    }
  }

  async #settleHalves(batch: readonly Entry<Item, Answer>[]): Promise<void> {
    const half = batch.length >> 1;
    await this.#settle(batch.slice(0, half));
    await this.#settle(batch.slice(half));
  }

  #fail({ item, caller }: Entry<Item, Answer>, error: unknown): void {
    this.#count--;
    if (caller) caller.reject(error);
    else this.options.onFailed?.(error, item);
  }
}
