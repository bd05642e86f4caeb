import { LatencyLimit } from './latency-limit';

/** How long a vendor takes for a call, in milliseconds, by how many it has. */
type TookMs = (inFlight: number) => number;

const SECOND_MS = 1_000;

/** A route whose campaigns always have a further call to make, at a vendor that takes `tookMs`. */
class BusyRoute {
  readonly #calls: { startedAt: number; endsAt: number }[] = [];
  #now = 0;

  constructor(readonly limit: LatencyLimit) {}

  /** @returns the limit, as it was every tenth of a second of the last two seconds */
  run(tookMs: TookMs, forMs: number): number[] {
    const sizes: number[] = [];
    for (const end = this.#now + forMs; this.#now < end; this.#now++) {
      this.#takeAnswers();
      this.#beginCalls(tookMs);
      if (end - this.#now <= 2 * SECOND_MS && this.#now % 100 === 0) sizes.push(this.limit.size);
    }
    return sizes;
  }

  #takeAnswers(): void {
    for (let call = this.#calls[0]; call !== undefined && call.endsAt <= this.#now; call = this.#calls[0]) {
      this.#calls.shift();
      this.limit.answered(call.startedAt, this.#now, true);
    }
  }

  #beginCalls(tookMs: TookMs): void {
    while (!this.limit.isFull) {
      this.limit.begun();
      this.#calls.push({ startedAt: this.#now, endsAt: this.#now + tookMs(this.#calls.length + 1) });
    }
  }
}

/** A vendor that works on so many calls a second, one after the other, and is so far away. */
const vendorOf =
  (aSecond: number, awayMs: number): TookMs =>
  (inFlight) =>
    awayMs + (inFlight * SECOND_MS) / aSecond;

describe('the calls of campaigns that a route has in flight', () => {
  it('fill the window at a vendor that takes as long with many as with few', () => {
    const sizes = new BusyRoute(new LatencyLimit(1_000)).run(() => 50, 5 * SECOND_MS);
    expect(Math.min(...sizes)).toBe(1_000);
  });

  it('keep a vendor that works on one after the other busy, with a short queue', () => {
    const sizes = new BusyRoute(new LatencyLimit(1_000)).run(vendorOf(10_000, 2), 9 * SECOND_MS);
    expect(Math.max(...sizes)).toBeLessThan(300);
    // 20 would be on the way.
    expect(Math.min(...sizes)).toBeGreaterThan(60);
  });

  it('follow a vendor that becomes slower, and one that becomes faster again', () => {
    const route = new BusyRoute(new LatencyLimit(1_000));
    const [fast] = route.run(vendorOf(20_000, 10), 9 * SECOND_MS).slice(-1);
    const [slow] = route.run(vendorOf(2_000, 10), 60 * SECOND_MS).slice(-1);
    const [again] = route.run(vendorOf(20_000, 10), 60 * SECOND_MS).slice(-1);
    expect(slow).toBeLessThan((fast as number) / 2);
    expect(again).toBeGreaterThan((slow as number) * 2);
  });

  it('do not follow calls that fail at once while the vendor cannot be reached', () => {
    const limit = new LatencyLimit(1_000);
    for (let now = 0; now < 20 * SECOND_MS; now += 10) {
      limit.begun();
      limit.answered(now, now, false);
    }
    expect(Math.min(...new BusyRoute(limit).run(() => 50, 5 * SECOND_MS))).toBe(1_000);
  });

  it('are never more than the window has', () => {
    expect(Math.max(...new BusyRoute(new LatencyLimit(20)).run(() => 5, 5 * SECOND_MS))).toBe(20);
  });
});
