/** The time that a page was given, in milliseconds since 1970: its devices follow each other from `sendsAt` on. */
export interface SendTime {
  sendsAt: number;
  /** For how many devices it is. */
  devices: number;
  /** The time between two devices. */
  everyMs: number;
  /** How much later than its own time a device may still be sent to: others have the time after it. */
  keptMs: number;
  /** How much later the page may begin, or a device be sent to. Nobody else is sent to meanwhile. */
  spareMs: number;
}

/**
 * The times of the devices of a page whose message or application has a limit. Each device uses one of them, and may be a little
 * late. What a worker comes too late for is lost: it was stopped, or its vendor did not answer. So whatever happens to
 * workers, vendors and pages, the limit is kept: no two devices of any pages have the same time.
 */
export class SendSlots {
  #nextAt: number;
  #left: number;
  #spareMs: number;
  #isUsed = false;

  constructor(private readonly time: SendTime) {
    this.#nextAt = time.sendsAt;
    this.#left = time.devices;
    this.#spareMs = time.spareMs;
  }

  /** True if a device had its time. */
  get isUsed(): boolean {
    return this.#isUsed;
  }

  /** Returns how long the next device has to wait, 0: not at all; null: no time is left. */
  waitMs(now: number): number | null {
    this.#lose(now - this.time.keptMs);
    return this.#left > 0 ? Math.max(0, this.#nextAt - now) : null;
  }

  /** Uses the time of the next device. @returns the moment from which on that is over */
  use(): number {
    const overAt = Math.floor(this.#nextAt + this.time.keptMs + this.#spareMs) + 1;
    this.#isUsed = true;
    this.#advance(1);
    return overAt;
  }

  /** Drops the times before `since`, after those that are left have moved on as far as they may. */
  #lose(since: number): void {
    const lateMs = since - this.#nextAt;
    if (lateMs <= 0 || this.#left <= 0) return;
    const movedMs = Math.min(lateMs, this.#spareMs);
    this.#spareMs -= movedMs;
    this.#nextAt += movedMs;
    this.#advance(Math.ceil((lateMs - movedMs) / this.time.everyMs));
  }

  #advance(devices: number): void {
    this.#left -= devices;
    this.#nextAt += devices * this.time.everyMs;
  }
}
