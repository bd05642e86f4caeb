import { isOfLaterClock, SendSlots, type SendTime } from '@postrider/domain';
import type { PageKey } from '@postrider/persistence';

/** Devices whose times are within this are sent to together: a timer for each would cost more than it evens out. */
const TOGETHER_MS = 10;

/** If no time can be had, because PostgreSQL is away, it is asked for again after this. */
const ASKED_AGAIN_MS = 1_000;

/** What gives the devices of a page their times. */
export interface TimeSource {
  /**
   * Returns another time for devices that are left of a page; null: nothing limits them any more.
   * @param missed as `takeAnotherTime` of the domain
   */
  takeAnotherTime(key: PageKey, devices: number, missed: number): Promise<SendTime | null>;
  /** The time of day, in milliseconds since 1970. */
  now(): number;
  /** Waits so many milliseconds. */
  pass(ms: number): Promise<unknown>;
}

/** A page that this worker has claimed. */
interface PacedRun {
  key: PageKey;
  /** Returns the devices that are not sent to yet. */
  waiting(): readonly unknown[];
  /** False if nothing more of it is sent. */
  hasNext: boolean;
  /** Resolves when it has ended. */
  ended: Promise<void>;
}

/**
 * The times at which the devices of a page are sent to, because its message or application has a limit. A page that is late, because
 * its worker, PostgreSQL or its vendor was slow, gets other ones: other pages may have had theirs since.
 */
export class PageTimes {
  #slots: SendSlots | null | 'unknown';
  #missed = 0;
  /** True if the vendor was asked to send to a device in this time. */
  #isSentIn = false;
  #overAt = 0;
  #putBack: () => void = () => undefined;

  /** @param time the one with which it was admitted; null: only another job knows it */
  constructor(
    private readonly pacing: TimeSource,
    private readonly run: PacedRun,
    time: SendTime | null,
  ) {
    this.#slots = time === null ? 'unknown' : new SendSlots(time);
  }

  /**
   * Uses the time of the next device, if that has come.
   * @returns the moment from which on it is over; null if the page has to wait (`wait`)
   */
  use(): number | null {
    if (this.#slots === null) return Infinity;
    if (this.#slots === 'unknown' || this.#slots.waitMs(this.pacing.now()) !== 0) return null;
    const overAt = this.#slots.use();
    // Devices that go together have it in common, so that a vendor who takes many in one request gets them in one.
    if (Math.abs(overAt - this.#overAt) > TOGETHER_MS) this.#overAt = overAt;
    return this.#overAt;
  }

  /**
   * Waits until the next device of the page may be sent to, or the page ends.
   * @param failed is told why there is no time yet
   */
  async wait(failed: (error: unknown) => void): Promise<void> {
    while (this.run.hasNext && this.#slots !== null) {
      const waitMs = this.#waitMs();
      if (waitMs === 0) return;
      if (waitMs === null) await this.#takeAnother().catch((error: unknown) => this.#askAgain(error, failed));
      else await this.#pass(this.#isBegun ? Math.max(waitMs, TOGETHER_MS) : waitMs);
    }
  }

  /** Resolves when the next device of the page has to wait (`putBack`), or the page has ended. */
  untilPutBack(): Promise<void> {
    return Promise.race([this.run.ended, new Promise<void>((resolve) => (this.#putBack = resolve))]);
  }

  /** The vendor has answered about a device: its request was written in its time. */
  answered(): void {
    this.#isSentIn = true;
  }

  /** Leaves the page to whoever waits for its times. */
  putBack(): void {
    this.#putBack();
  }

  /** How long the next device has to wait; null: it has no time, or one of a clock that was set back since. */
  #waitMs(): number | null {
    if (!(this.#slots instanceof SendSlots)) return null;
    const waitMs = this.#slots.waitMs(this.pacing.now());
    return waitMs !== null && isOfLaterClock(waitMs, 0) ? null : waitMs;
  }

  get #isBegun(): boolean {
    return this.#slots instanceof SendSlots && this.#slots.isUsed;
  }

  async #takeAnother(): Promise<void> {
    this.#missed = this.#slots === 'unknown' || this.#isSentIn ? 0 : this.#missed + 1;
    this.#isSentIn = false;
    const time = await this.pacing.takeAnotherTime(this.run.key, this.run.waiting().length, this.#missed);
    this.#slots = time === null ? null : new SendSlots(time);
  }

  async #askAgain(error: unknown, failed: (error: unknown) => void): Promise<void> {
    failed(error);
    await this.#pass(ASKED_AGAIN_MS);
  }

  async #pass(ms: number): Promise<void> {
    await Promise.race([this.run.ended, this.pacing.pass(Math.ceil(ms))]);
  }
}
