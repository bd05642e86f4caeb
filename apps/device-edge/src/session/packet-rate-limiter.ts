/** A burst may use the packets of this many seconds. */
const BURST_SECONDS = 4;

/** Limits the packets that one connection sends: a token bucket. The caller passes the time. */
export class PacketRateLimiter {
  #tokens: number;
  #atMs: number;

  constructor(
    private readonly perSecond: number,
    nowMs: number,
  ) {
    this.#tokens = perSecond * BURST_SECONDS;
    this.#atMs = nowMs;
  }

  /** @returns true if there was room for a packet of this cost */
  take(cost: number, nowMs: number): boolean {
    const refilled = this.#tokens + (Math.max(0, nowMs - this.#atMs) * this.perSecond) / 1_000;
    this.#tokens = Math.min(this.perSecond * BURST_SECONDS, refilled) - cost;
    this.#atMs = nowMs;
    return this.#tokens >= 0;
  }
}
