import { type CallAnswer, LatencyLimit } from './latency-limit';

/** How long a vendor takes for a call, in milliseconds, by how many it has and by its answer. */
type TookMs = (inFlight: number, answer: CallAnswer) => number;

const SECOND_MS = 1_000;

/** A route whose campaigns always have a further call to make, at a vendor that takes `tookMs`. */
class BusyRoute {
  /** By the millisecond in which they are answered. */
  readonly #calls = new Map<number, { startedAt: number; answer: CallAnswer }[]>();
  #inFlight = 0;
  #now = 0;
  #begun = 0;

  /** @param answerOf what the vendor answers to each call, by its number */
  constructor(
    readonly limit: LatencyLimit,
    public answerOf: (call: number) => CallAnswer = () => 'taken',
  ) {}

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
    for (const call of this.#calls.get(this.#now) ?? []) {
      this.#inFlight -= 1;
      this.limit.answered(call.startedAt, this.#now, call.answer);
    }
    this.#calls.delete(this.#now);
  }

  #beginCalls(tookMs: TookMs): void {
    while (!this.limit.isFull) {
      this.limit.begun();
      this.#inFlight += 1;
      const answer = this.answerOf(this.#begun++);
      const endsAt = this.#now + Math.max(1, Math.ceil(tookMs(this.#inFlight, answer)));
      const together = this.#calls.get(endsAt) ?? [];
      together.push({ startedAt: this.#now, answer });
      this.#calls.set(endsAt, together);
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
      limit.answered(now, now, 'failed');
    }
    expect(Math.min(...new BusyRoute(limit).run(() => 50, 5 * SECOND_MS))).toBe(1_000);
  });

  it.each([
    ['only refused tokens', (): CallAnswer => 'refused'],
    ['one good token among a hundred', (call: number): CallAnswer => (call % 100 === 0 ? 'taken' : 'refused')],
  ])('fill the window of a campaign with %s', (_, answerOf) => {
    const sizes = new BusyRoute(new LatencyLimit(1_000), answerOf).run(() => 50, 5 * SECOND_MS);
    expect(Math.min(...sizes)).toBe(1_000);
  });

  it('fill the window again after a probe in which nearly all tokens are refused', () => {
    const route = new BusyRoute(new LatencyLimit(1_000));
    expect(Math.min(...route.run(() => 50, 5 * SECOND_MS))).toBe(1_000);
    let refused = 0;
    route.answerOf = (call) => {
      if (route.limit.size === 1_000 || call % 1_000 === 0) return 'taken';
      refused += 1;
      return 'refused';
    };
    expect(Math.min(...route.run(() => 50, 20 * SECOND_MS))).toBe(1_000);
    expect(refused).toBeGreaterThan(0);
  });

  it('compare the time of refusals with that of refusals, and of good tokens with that of good tokens', () => {
    const route = new BusyRoute(new LatencyLimit(1_000), () => 'refused');
    const tookMs: TookMs = (_, answer) => (answer === 'refused' ? 5 : 100);
    route.run(tookMs, 20 * SECOND_MS);
    route.answerOf = (call) => (call % 2 === 0 ? 'taken' : 'refused');
    expect(Math.min(...route.run(tookMs, 5 * SECOND_MS))).toBe(1_000);
    route.answerOf = () => 'taken';
    expect(Math.min(...route.run(tookMs, 10 * SECOND_MS))).toBe(1_000);
  });

  it('are few at a vendor that refuses one token after the other', () => {
    const sizes = new BusyRoute(new LatencyLimit(1_000), () => 'refused').run(vendorOf(10_000, 2), 9 * SECOND_MS);
    expect(Math.max(...sizes)).toBeLessThan(300);
    expect(Math.min(...sizes)).toBeGreaterThan(60);
  });

  it('are never more than the window has', () => {
    expect(Math.max(...new BusyRoute(new LatencyLimit(20)).run(() => 5, 5 * SECOND_MS))).toBe(20);
  });
});
