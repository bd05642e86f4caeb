import { Injectable } from '@nestjs/common';
import type { DeviceSession } from '../session/device-session';
import { SessionRegistry } from '../session/session-registry';
import { WaitingReader } from './waiting-reader.service';

/**
 * When the waiting messages of a device are read again after it connected. A send that was being accepted at that
 * moment may have seen the device as absent, and its row may come after the first read. Such a send is over within a
 * minute, because statements have a time limit.
 */
const DELAYS_MS = [1_000, 10_000, 65_000] as const;
/** The waiting messages of a device are read again within this time, in case everything else failed. */
const ALL_WITHIN_MS = 300_000;

/** Requests waiting messages again that were read already. */
@Injectable()
export class WaitingRechecks {
  readonly #due: { atMs: number; session: DeviceSession }[][] = DELAYS_MS.map(() => []);
  #next: Iterator<DeviceSession> | undefined;
  #lastMs: number | undefined;

  constructor(
    private readonly registry: SessionRegistry,
    private readonly reader: WaitingReader,
  ) {}

  /** Schedules the rechecks of a device that connected. */
  schedule(session: DeviceSession, nowMs: number): void {
    DELAYS_MS.forEach((delayMs, place) => this.#due[place]?.push({ atMs: nowMs + delayMs, session }));
  }

  /** Requests what is due to be read. Call it about once a second. */
  tick(nowMs: number): void {
    for (const queue of this.#due) {
      let taken = 0;
      while (taken < queue.length && (queue[taken]?.atMs ?? Infinity) <= nowMs) this.#request(queue[taken++]?.session);
      if (taken > 0) queue.splice(0, taken);
    }
    this.#requestShare(nowMs);
  }

  /** Requests what waits for every device. */
  requestAll(): void {
    for (const session of this.registry.connected()) this.reader.request(session);
  }

  #requestShare(nowMs: number): void {
    const share = Math.min(1, (nowMs - (this.#lastMs ?? nowMs)) / ALL_WITHIN_MS);
    this.#lastMs = nowMs;
    const many = Math.ceil(this.registry.deviceCount * share);
    for (let requested = 0; requested < many; requested++) {
      this.#next ??= this.registry.connected();
      const next = this.#next.next();
      if (next.done === true) {
        this.#next = undefined;
        return;
      }
      this.#request(next.value);
    }
  }

  #request(session: DeviceSession | undefined): void {
    if (session && !session.isClosed) this.reader.request(session);
  }
}
