import fc from 'fast-check';
import { Batcher, BatcherFull, type BatcherOptions } from './batcher';

interface Item {
  key: string;
  number: number;
}

/** Makes a batcher whose batches end when the test says so. */
function slowBatcher(options: Partial<BatcherOptions<Item, number>> = {}) {
  const begun: Item[][] = [];
  const ends: ((error?: Error) => void)[] = [];
  const batcher = new Batcher<Item, number>({
    work: (items) => {
      begun.push(items);
      return new Promise((resolve, reject) =>
        ends.push((error) => (error ? reject(error) : resolve(items.map(({ number }) => number * 10)))),
      );
    },
    maxItems: 3,
    ...options,
  });
  const numbers = (): number[][] => begun.map((items) => items.map(({ number }) => number));
  return { batcher, begun, ends, numbers };
}

/** Resolves after the work that is due at the end of this turn of the event loop. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
const one = (number: number, key = String(number)): Item => ({ key, number });
const PER_KEY = { keyOf: ({ key }: Item) => key, maxItems: 1 };

describe('a batcher', () => {
  it('takes what came together, no more than fits, and the rest when a batch is done', async () => {
    const { batcher, ends, numbers } = slowBatcher();
    const answers = Promise.all([1, 2, 3, 4, 5].map((number) => batcher.add(one(number))));
    await turn();
    expect(numbers()).toEqual([[1, 2, 3]]);
    ends[0]?.();
    await turn();
    expect(numbers()).toEqual([
      [1, 2, 3],
      [4, 5],
    ]);
    ends[1]?.();
    expect(await answers).toEqual([10, 20, 30, 40, 50]);
  });

  it('works as many batches at once as it may', async () => {
    const { batcher, ends, numbers } = slowBatcher({ concurrency: 2 });
    const answers = Promise.all([1, 2, 3, 4, 5, 6, 7].map((number) => batcher.add(one(number))));
    await turn();
    expect(numbers()).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    ends[1]?.();
    await turn();
    expect(numbers()[2]).toEqual([7]);
    for (const end of ends) end();
    expect(await answers).toEqual([10, 20, 30, 40, 50, 60, 70]);
  });

  it('keeps what has one key apart and in order, and lets others pass', async () => {
    const { batcher, ends, numbers } = slowBatcher({ concurrency: 2, perKey: PER_KEY });
    const answers = Promise.all([one(1, 'a'), one(2, 'a'), one(3, 'b')].map((item) => batcher.add(item)));
    await turn();
    expect(numbers()).toEqual([[1, 3]]);
    const late = batcher.add(one(4, 'c'));
    await turn();
    expect(numbers()).toEqual([[1, 3], [4]]);
    ends[0]?.();
    await turn();
    expect(numbers()[2]).toEqual([2]);
    for (const end of ends) end();
    expect([await answers, await late]).toEqual([[10, 20, 30], 40]);
  });

  it('fails all of a batch, and goes on', async () => {
    const { batcher, ends } = slowBatcher();
    const lost = Promise.allSettled([batcher.add(one(1)), batcher.add(one(2))]);
    await turn();
    ends[0]?.(new Error('Connection terminated unexpectedly'));
    expect((await lost).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const next = batcher.add(one(3));
    await turn();
    ends[1]?.();
    expect(await next).toBe(30);
  });

  it('fails a bad item alone, where an error undoes the batch', async () => {
    const worked: number[][] = [];
    const failed: number[] = [];
    const batcher = new Batcher<number, number>({
      work: (items) => {
        worked.push(items);
        return items.includes(3) ? Promise.reject(new Error('bad')) : Promise.resolve(items);
      },
      splitsOn: (error) => (error as Error).message === 'bad',
      onFailed: (_, item) => failed.push(item),
    });
    const answers = Promise.allSettled([1, 2, 3, 4].map((item) => batcher.add(item)));
    batcher.offer(3);
    expect((await answers).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    await batcher.drain();
    expect(failed).toEqual([3]);
    expect(worked.at(0)).toEqual([1, 2, 3, 4, 3]);
  });

  it('refuses what it has no room for, until a batch is done', async () => {
    const { batcher, ends } = slowBatcher({ capacity: 2 });
    const first = batcher.add(one(1));
    expect(batcher.offer(one(2))).toBe(true);
    expect(batcher.offer(one(3))).toBe(false);
    await expect(batcher.add(one(3))).rejects.toBeInstanceOf(BatcherFull);
    await turn();
    ends[0]?.();
    await first;
    expect(batcher.size).toBe(0);
    expect(batcher.offer(one(3))).toBe(true);
  });

  it('counts items by their size, and takes one alone that is too large', async () => {
    const { batcher, ends, numbers } = slowBatcher({ sizeOf: ({ number }) => number });
    for (const number of [1, 2, 9, 1]) batcher.offer(one(number));
    await turn();
    ends[0]?.();
    await turn();
    ends[1]?.();
    await turn();
    expect(numbers()).toEqual([[1, 2], [9], [1]]);
  });

  it('has no answers where its work has none', async () => {
    const batcher = new Batcher<number>({ work: () => Promise.resolve() });
    await expect(batcher.add(1)).resolves.toBeUndefined();
  });

  describe('that gathers for a while', () => {
    beforeEach(() => jest.useFakeTimers());
    afterEach(() => jest.useRealTimers());

    it('begins when the time is over, when a batch is full, or when it is drained', async () => {
      const { batcher, ends, numbers } = slowBatcher({ maxWaitMs: 50 });
      batcher.offer(one(1));
      await jest.advanceTimersByTimeAsync(49);
      expect(numbers()).toEqual([]);
      await jest.advanceTimersByTimeAsync(1);
      expect(numbers()).toEqual([[1]]);
      ends[0]?.();
      for (const number of [2, 3, 4]) batcher.offer(one(number));
      await jest.advanceTimersByTimeAsync(1);
      expect(numbers()[1]).toEqual([2, 3, 4]);
      ends[1]?.();
      batcher.offer(one(5));
      let isDrained = false;
      void batcher.drain().then(() => {
        isDrained = true;
      });
      await jest.advanceTimersByTimeAsync(1);
      expect([numbers()[2], isDrained]).toEqual([[5], false]);
      ends[2]?.();
      await jest.advanceTimersByTimeAsync(0);
      expect(isDrained).toBe(true);
    });
  });

  describe('whose batches begin apart', () => {
    beforeEach(() => jest.useFakeTimers());
    afterEach(() => jest.useRealTimers());

    it('begins at once when it was idle, later when it was not, and at once when a batch is full', async () => {
      const { batcher, ends, numbers } = slowBatcher({ apartMs: 10 });
      batcher.offer(one(1));
      await jest.advanceTimersByTimeAsync(0);
      expect(numbers()).toEqual([[1]]);
      ends[0]?.();
      batcher.offer(one(2));
      await jest.advanceTimersByTimeAsync(5);
      batcher.offer(one(3));
      await jest.advanceTimersByTimeAsync(4);
      expect(numbers()).toEqual([[1]]);
      await jest.advanceTimersByTimeAsync(1);
      expect(numbers()).toEqual([[1], [2, 3]]);
      ends[1]?.();
      for (const number of [4, 5, 6]) batcher.offer(one(number));
      await jest.advanceTimersByTimeAsync(0);
      expect(numbers()[2]).toEqual([4, 5, 6]);
      ends[2]?.();
      await jest.advanceTimersByTimeAsync(10);
      batcher.offer(one(7));
      await jest.advanceTimersByTimeAsync(0);
      expect(numbers()[3]).toEqual([7]);
    });

    it('has larger batches further apart while it is busy', async () => {
      const { batcher, ends, numbers } = slowBatcher({ maxItems: 9, apartMs: 10, busy: { items: 2, apartMs: 20 } });
      for (const number of [1, 2]) batcher.offer(one(number));
      await jest.advanceTimersByTimeAsync(0);
      ends[0]?.();
      batcher.offer(one(3));
      await jest.advanceTimersByTimeAsync(19);
      expect(numbers()).toEqual([[1, 2]]);
      await jest.advanceTimersByTimeAsync(1);
      expect(numbers()[1]).toEqual([3]);
      ends[1]?.();
      batcher.offer(one(4));
      await jest.advanceTimersByTimeAsync(10);
      expect(numbers()[2]).toEqual([4]);
    });
  });

  it('answers each item once and keeps its limits, whatever comes and ends when', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('add' as const), key: fc.constantFrom(...KEYS) }),
      fc.record({ kind: fc.constant('end' as const), which: fc.nat(3), isError: fc.boolean() }),
      fc.constant({ kind: 'turn' as const }),
    );
    const limits = fc.record({
      maxItems: fc.integer({ min: 1, max: 4 }),
      concurrency: fc.integer({ min: 1, max: 3 }),
      maxOfKey: fc.option(fc.integer({ min: 1, max: 3 })),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), limits, async (steps, chosen) => {
        const run = new DrivenRun(chosen);
        for (const now of steps) {
          if (now.kind === 'add') run.add(now.key);
          else if (now.kind === 'end') await run.end(now.which, now.isError);
          else await run.turn();
        }
        await run.finish();
      }),
      { numRuns: 300 },
    );
  });
});

const KEYS = ['a', 'b', 'c', 'd'];

/** Drives a batcher step by step, and checks its limits after each step. */
class DrivenRun {
  readonly #slow: ReturnType<typeof slowBatcher>;
  readonly #open = new Set<number>();
  readonly #outcomes: (number | string)[][] = [];
  #seen = 0;

  constructor(private readonly limits: { maxItems: number; concurrency: number; maxOfKey: number | null }) {
    const { maxItems, concurrency, maxOfKey } = limits;
    const perKey = maxOfKey === null ? {} : { perKey: { ...PER_KEY, maxItems: maxOfKey } };
    this.#slow = slowBatcher({ maxItems, concurrency, ...perKey });
  }

  add(key: string): void {
    const outcomes: (number | string)[] = [];
    const item = one(this.#outcomes.push(outcomes) - 1, key);
    void this.#slow.batcher.add(item).then(
      (answer) => outcomes.push(answer),
      (error: unknown) => outcomes.push((error as Error).message),
    );
  }

  async end(which: number, isError: boolean): Promise<void> {
    const place = [...this.#open][which];
    if (place === undefined) return;
    this.#open.delete(place);
    this.#slow.ends[place]?.(isError ? new Error('gone') : undefined);
    await this.turn();
  }

  async turn(): Promise<void> {
    await turn();
    for (; this.#seen < this.#slow.begun.length; this.#seen++) this.#begun(this.#seen);
  }

  /** Ends all batches, and checks the results of the items. */
  async finish(): Promise<void> {
    await this.turn();
    while (this.#open.size > 0) await this.end(0, false);
    expect(this.#slow.batcher.size).toBe(0);
    this.#outcomes.forEach((outcomes, number) => {
      expect(outcomes).toHaveLength(1);
      expect([number * 10, 'gone']).toContain(outcomes[0]);
    });
    const worked = this.#slow.begun.flat();
    expect(worked).toHaveLength(this.#outcomes.length);
    for (const key of KEYS) {
      const numbers = worked
        .filter((item) => this.limits.maxOfKey === null || item.key === key)
        .map(({ number }) => number);
      expect(numbers).toEqual([...numbers].sort((left, right) => left - right));
    }
  }

  #begun(place: number): void {
    const { maxItems, concurrency, maxOfKey } = this.limits;
    const batch = this.#slow.begun[place] ?? [];
    expect(batch.length).toBeGreaterThan(0);
    expect(batch.length).toBeLessThanOrEqual(maxItems);
    if (maxOfKey !== null) {
      const underWay = [...this.#open].flatMap((other) => this.#slow.begun[other] ?? []).map(({ key }) => key);
      for (const { key } of batch) {
        expect(underWay).not.toContain(key);
        expect(batch.filter((item) => item.key === key).length).toBeLessThanOrEqual(maxOfKey);
      }
    }
    this.#open.add(place);
    expect(this.#open.size).toBeLessThanOrEqual(concurrency);
  }
}
