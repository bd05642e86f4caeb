import type { DeviceId } from '@postrider/domain';
import { deviceKey } from './device-session';

/** How long a connection lingers. Then its client may try again. */
const LINGER_MS = 600_000;
/** If more than this linger, the oldest are closed. */
const MOST_LINGERING = 5_000;

/** When it is looked whether a refused client would be admitted by now, counted from the refusal. */
const RECHECKED_AFTER_MS = [2_000, 5_000, 15_000, 60_000];

/** The client of a connection that lingers. */
export interface LingeringClient {
  /** The admitted device; null: the client was not admitted. */
  device: { appId: string; deviceId: DeviceId } | null;
  /** Whether a refused client would be admitted by now; left out: nothing changes that. */
  isAdmissible?: () => Promise<boolean>;
}

/** A connection whose session has ended but whose socket is kept open. */
export interface LingeringConnection extends LingeringClient {
  /** Closes it. */
  end(): void;
}

/**
 * Sockets that stay open after their session has ended. If the socket closed, their clients would connect again at
 * once, only to be refused again or to replace the connection that replaced theirs, without end.
 */
export class LingeringConnections {
  /** Since when each lingers, the oldest first. */
  readonly #since = new Map<LingeringConnection, number>();
  readonly #ofDevice = new Map<string, Set<LingeringConnection>>();
  /** How often it was looked whether a refused client would be admitted by now. */
  readonly #rechecks = new Map<LingeringConnection, number>();

  get count(): number {
    return this.#since.size;
  }

  add(connection: LingeringConnection, nowMs: number): void {
    const [oldest] = this.#since.keys();
    if (this.#since.size >= MOST_LINGERING && oldest) this.#end(oldest);
    this.#since.set(connection, nowMs);
    if (connection.isAdmissible !== undefined) this.#rechecks.set(connection, 0);
    const key = keyOf(connection);
    if (key !== null) this.#ofDevice.set(key, (this.#ofDevice.get(key) ?? new Set()).add(connection));
  }

  /** Removes a connection that was closed. */
  remove(connection: LingeringConnection): void {
    this.#since.delete(connection);
    this.#rechecks.delete(connection);
    const key = keyOf(connection);
    const others = key === null ? undefined : this.#ofDevice.get(key);
    others?.delete(connection);
    if (key !== null && others?.size === 0) this.#ofDevice.delete(key);
  }

  /**
   * Closes a device's lingering connections when the connection that replaced them is over, so that one of them
   * reconnects.
   */
  endOf(appId: string, deviceId: DeviceId): void {
    for (const connection of [...(this.#ofDevice.get(deviceKey(appId, deviceId)) ?? [])]) this.#end(connection);
  }

  /** Closes connections that have lingered long enough, and those of refused clients that would be admitted by now. */
  tick(nowMs: number): void {
    for (const [connection, sinceMs] of this.#since) {
      if (nowMs - sinceMs < LINGER_MS) break;
      this.#end(connection);
    }
    for (const [connection, rechecks] of this.#rechecks) {
      const dueMs = (this.#since.get(connection) ?? 0) + (RECHECKED_AFTER_MS[rechecks] ?? Infinity);
      if (nowMs >= dueMs) void this.#recheck(connection, rechecks + 1);
    }
  }

  endAll(): void {
    for (const connection of [...this.#since.keys()]) this.#end(connection);
  }

  async #recheck(connection: LingeringConnection, rechecks: number): Promise<void> {
    if (rechecks < RECHECKED_AFTER_MS.length) this.#rechecks.set(connection, rechecks);
    else this.#rechecks.delete(connection);
    const isAdmissible = await connection.isAdmissible?.().catch(() => false);
    if (isAdmissible === true && this.#since.has(connection)) this.#end(connection);
  }

  #end(connection: LingeringConnection): void {
    this.remove(connection);
    connection.end();
  }
}

function keyOf({ device }: LingeringConnection): string | null {
  return device === null ? null : deviceKey(device.appId, device.deviceId);
}
