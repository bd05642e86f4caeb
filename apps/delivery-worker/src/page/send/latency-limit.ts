/** The limit that a route begins with. */
const FIRST_SIZE = 64;
/** The limit never falls below this: fewer calls leave the connection idle between two turns of the event loop. */
const SMALLEST_SIZE = 32;
/** Calls may take this many times as long as with few calls in flight, and this much longer, before the limit falls. */
const TOLERATED_FACTOR = 2;
const TOLERATED_MS = 5;
/** A measurement takes at least this long, and as many answers as calls may be in flight. */
const MEASURED_MS = 40;
/** How often the time of calls is measured with few of them in flight. */
const PROBED_EVERY_MS = 15_000;
/** The share of the limit that is in flight meanwhile. */
const PROBED_SHARE = 0.25;
/** The share of the last probe in what calls take with few of them in flight. */
const SHARE_OF_LAST = 0.5;
/** By what the limit grows until it first falls after a probe, and then; it falls to this share of itself at the lowest. */
const DOUBLING = 2;
const GROWTH = 1.2;
const LOWEST_FALL = 0.7;

/**
 * How many calls of campaigns a route has in flight: as many as its vendor, and this process, work on at a time. More than that do not
 * go faster, they only wait in a queue (at the vendor, on the connection, in the event loop), and the calls of named users wait behind
 * them. The limit follows the time that calls take: now and then it is measured with few calls in flight; while calls take about as
 * long, the limit grows, and while they take more than twice as long, it falls. A vendor that is far away takes as long with few calls
 * as with many, so the limit grows until the window is full.
 */
export class LatencyLimit {
  #size: number;
  #inFlight = 0;
  /** What calls take with few of them in flight; null: not measured yet. */
  #unloadedMs: number | null = null;
  #isProbing = true;
  #probedAt = -Infinity;
  /** The limit before the probe. */
  #formerSize: number;
  #growth = DOUBLING;
  /** Only calls that began after the last change of the limit count. */
  #since = -Infinity;
  #count = 0;
  #sumMs = 0;
  #wasFull = false;

  /** @param largest the most calls in flight */
  constructor(private readonly largest: number) {
    this.#size = this.#formerSize = Math.min(FIRST_SIZE, largest);
  }

  /** How many calls may be in flight. */
  get size(): number {
    return Math.floor(this.#size);
  }

  /** Whether no further call may begin. */
  get isFull(): boolean {
    return this.#inFlight >= this.size;
  }

  /** A call begins. */
  begun(): void {
    this.#inFlight += 1;
    if (this.isFull) this.#wasFull = true;
  }

  /**
   * A call came back.
   *
   * @param startedAt when it began, by the same clock as `now`, in milliseconds
   * @param isTaken whether the vendor took it: how long a refusal or a failure takes says nothing
   */
  answered(startedAt: number, now: number, isTaken: boolean): void {
    this.#inFlight -= 1;
    if (!isTaken || startedAt < this.#since) return;
    this.#count += 1;
    this.#sumMs += now - startedAt;
    if (this.#count >= this.size && now - this.#since >= MEASURED_MS) this.#measured(this.#sumMs / this.#count, now);
  }

  #measured(tookMs: number, now: number): void {
    // The first calls of all wait until the connection is open.
    if (this.#since === -Infinity) this.#probedAt = now;
    else if (this.#isProbing) this.#probed(tookMs, now);
    else if (now - this.#probedAt >= PROBED_EVERY_MS) this.#probe();
    else this.#follow(tookMs);
    this.#since = now;
    this.#count = 0;
    this.#sumMs = 0;
    this.#wasFull = false;
  }

  #probed(tookMs: number, now: number): void {
    const share = this.#unloadedMs === null ? 1 : SHARE_OF_LAST;
    this.#unloadedMs = (this.#unloadedMs ?? 0) * (1 - share) + tookMs * share;
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

  #follow(tookMs: number): void {
    const toleratedMs = (this.#unloadedMs ?? tookMs) * TOLERATED_FACTOR + TOLERATED_MS;
    if (tookMs > toleratedMs) {
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
