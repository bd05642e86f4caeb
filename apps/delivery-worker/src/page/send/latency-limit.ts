/** The limit that a route begins with. */
const FIRST_SIZE = 64;
/** The limit never falls below this: fewer calls leave the connection idle between two turns of the event loop. */
const SMALLEST_SIZE = 32;
/** The limit falls if calls take more than this many times as long as with few calls in flight, plus `TOLERATED_MS`. */
const TOLERATED_FACTOR = 2;
const TOLERATED_MS = 5;
/** A measurement takes at least this long, and as many answers as calls may be in flight. */
const MEASURED_MS = 40;
/** How often the time of calls is measured with few of them in flight. */
const PROBED_EVERY_MS = 15_000;
/** The share of the limit that may be in flight during that measurement. */
const PROBED_SHARE = 0.25;
/** The weight of the last probe in the average of the probes. */
const SHARE_OF_LAST = 0.5;
/** In a probe, at least this share of the answers must be of one kind: the time of a few says little. */
const PROVING_SHARE = 0.25;
/**
 * The limit grows by `DOUBLING` after a probe, and by `GROWTH` once it has fallen. In one step it falls to no less than
 * `LOWEST_FALL` of itself.
 */
const DOUBLING = 2;
const GROWTH = 1.2;
const LOWEST_FALL = 0.7;

/**
 * How a call ended: the vendor took the message; it refused it for this device; or there was no such answer, so that its time says
 * nothing.
 */
export type CallAnswer = 'taken' | 'refused' | 'failed';

/** The time of the calls that ended with answers of one kind. */
class CallTimes {
  /** How long such calls take with few of them in flight; null: not measured yet. */
  #unloadedMs: number | null = null;
  #count = 0;
  #sumMs = 0;

  get count(): number {
    return this.#count;
  }

  add(tookMs: number): void {
    this.#count += 1;
    this.#sumMs += tookMs;
  }

  /** Takes the calls since the last measurement as calls with few in flight, if there are at least so many. */
  probed(fewest: number): void {
    if (this.#count === 0 || this.#count < fewest) return;
    const share = this.#unloadedMs === null ? 1 : SHARE_OF_LAST;
    this.#unloadedMs = (this.#unloadedMs ?? 0) * (1 - share) + (this.#sumMs / this.#count) * share;
  }

  /** Returns how long the calls since the last measurement took, and how long they may take; nothing if that is not known. */
  compared(): { tookMs: number; toleratedMs: number } {
    if (this.#unloadedMs === null) return { tookMs: 0, toleratedMs: 0 };
    const toleratedMs = this.#count * (this.#unloadedMs * TOLERATED_FACTOR + TOLERATED_MS);
    return { tookMs: this.#sumMs, toleratedMs };
  }

  restart(): void {
    this.#count = 0;
    this.#sumMs = 0;
  }
}

/**
 * Limits the campaign calls that a route has in flight to as many as its vendor, and this process, work on at a time.
 * More calls would not be faster: they would only wait in a queue (at the vendor, on the connection, in the event
 * loop), and the calls of named users would wait behind them. The limit follows the time that calls take. Now and then
 * this time is measured with few calls in flight. The limit grows while calls take about as long, and falls if they
 * take more than twice as long. Calls to a vendor that is far away take as long with few calls as with many, so the
 * limit grows to its maximum. A refusal is compared with refusals only, because a vendor may refuse faster than it takes.
 */
export class LatencyLimit {
  #size: number;
  #inFlight = 0;
  readonly #taken = new CallTimes();
  readonly #refused = new CallTimes();
  #isProbing = true;
  #probedAt = -Infinity;
  /** The limit before the probe. */
  #formerSize: number;
  #growth = DOUBLING;
  /** When the last measurement ended: only calls that began later count. */
  #since = -Infinity;
  #wasFull = false;

  /** @param largest the most calls in flight */
  constructor(private readonly largest: number) {
    this.#size = this.#formerSize = Math.min(FIRST_SIZE, largest);
  }

  /** How many calls may be in flight. */
  get size(): number {
    return Math.floor(this.#size);
  }

  /** True if no further call may begin. */
  get isFull(): boolean {
    return this.#inFlight >= this.size;
  }

  /** Counts a call that begins. */
  begun(): void {
    this.#inFlight += 1;
    if (this.isFull) this.#wasFull = true;
  }

  /**
   * Counts a call that has ended.
   * @param startedAt when it began, by the same clock as `now`, in milliseconds
   */
  answered(startedAt: number, now: number, answer: CallAnswer): void {
    this.#inFlight -= 1;
    if (answer === 'failed' || startedAt < this.#since) return;
    (answer === 'taken' ? this.#taken : this.#refused).add(now - startedAt);
    if (this.#count >= this.size && now - this.#since >= MEASURED_MS) this.#measured(now);
  }

  get #count(): number {
    return this.#taken.count + this.#refused.count;
  }

  #measured(now: number): void {
    // The first calls are not measured: they wait until the connection is open.
    if (this.#since === -Infinity) this.#probedAt = now;
    else if (this.#isProbing) this.#probed(now);
    else if (now - this.#probedAt >= PROBED_EVERY_MS) this.#probe();
    else this.#follow();
    this.#since = now;
    this.#taken.restart();
    this.#refused.restart();
    this.#wasFull = false;
  }

  #probed(now: number): void {
    const fewest = this.#count * PROVING_SHARE;
    this.#taken.probed(fewest);
    this.#refused.probed(fewest);
    this.#isProbing = false;
    this.#probedAt = now;
    this.#size = this.#formerSize;
  }

  #probe(): void {
    this.#isProbing = true;
    this.#formerSize = this.#size;
    this.#growth = DOUBLING;
    this.#size = Math.max(Math.min(SMALLEST_SIZE, this.largest), this.#size * PROBED_SHARE);
  }

  #follow(): void {
    const [taken, refused] = [this.#taken.compared(), this.#refused.compared()];
    const tookMs = taken.tookMs + refused.tookMs;
    const toleratedMs = taken.toleratedMs + refused.toleratedMs;
    // All answers are of a kind that no probe has met.
    if (toleratedMs === 0) this.#probe();
    else if (tookMs > toleratedMs) {
      this.#growth = GROWTH;
      this.#size = Math.max(
        Math.min(SMALLEST_SIZE, this.largest),
        this.#size * Math.max(LOWEST_FALL, toleratedMs / tookMs),
      );
    } else if (this.#wasFull) {
      this.#size = Math.min(this.largest, this.#size * this.#growth);
    }
  }
}
