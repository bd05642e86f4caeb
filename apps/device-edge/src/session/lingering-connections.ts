import { deviceKey } from '../ledger/device-key';

/** How long a connection rests: then its client may try again. */
const RESTS_MS = 600_000;
/** More than that do not rest: the oldest are closed. */
const MOST = 5_000;

/** A connection over which nothing is said any more. */
export interface Resting {
  /** The device that it was let in as; null: it was not. */
  device: { appId: string; deviceId: string } | null;
  /** Closes it. */
  end(): void;
}

/**
 * Connections that are over, and left open: those of clients that connect again as soon as they are closed, for ever, although
 * they would be refused again, or would take the place of the connection that took theirs.
 */
export class RestingConnections {
  /** Since when each rests, the oldest first. */
  readonly #since = new Map<Resting, number>();
  readonly #ofDevice = new Map<string, Set<Resting>>();

  get count(): number {
    return this.#since.size;
  }

  add(resting: Resting, nowMs: number): void {
    const [oldest] = this.#since.keys();
    if (this.#since.size >= MOST && oldest) this.#end(oldest);
    this.#since.set(resting, nowMs);
    const key = keyOf(resting);
    if (key !== null) this.#ofDevice.set(key, (this.#ofDevice.get(key) ?? new Set()).add(resting));
  }

  /** It is closed. */
  remove(resting: Resting): void {
    this.#since.delete(resting);
    const key = keyOf(resting);
    const others = key === null ? undefined : this.#ofDevice.get(key);
    others?.delete(resting);
    if (key !== null && others?.size === 0) this.#ofDevice.delete(key);
  }

  /** The connection in whose favour others of the device rest is over: they are closed, and one of them is next. */
  wake(appId: string, deviceId: string): void {
    for (const resting of [...(this.#ofDevice.get(deviceKey(appId, deviceId)) ?? [])]) this.#end(resting);
  }

  /** Closes those that have rested long enough. */
  tick(nowMs: number): void {
    for (const [resting, sinceMs] of this.#since) {
      if (nowMs - sinceMs < RESTS_MS) return;
      this.#end(resting);
    }
  }

  endAll(): void {
    for (const resting of [...this.#since.keys()]) this.#end(resting);
  }

  #end(resting: Resting): void {
    this.remove(resting);
    resting.end();
  }
}

function keyOf({ device }: Resting): string | null {
  return device === null ? null : deviceKey(device.appId, device.deviceId);
}
