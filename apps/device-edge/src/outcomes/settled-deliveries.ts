import { Injectable } from '@nestjs/common';
import type { DeviceId } from '@postrider/domain';

/**
 * Deliveries whose outcome is being written, or was written lately. A statement that began before may still return them as
 * waiting: they must not be published again. Only one statement may read at a time.
 */
@Injectable()
export class SettledDeliveries {
  readonly #beingWritten = new Set<string>();
  #recent = new Set<string>();
  #older = new Set<string>();

  /** Call it when the outcome of a delivery is about to be written. */
  begin(messageId: string, deviceId: DeviceId): void {
    this.#beingWritten.add(`${messageId} ${deviceId}`);
  }

  /** Call it when the outcome of a delivery is written. */
  add(messageId: string, deviceId: DeviceId): void {
    const key = `${messageId} ${deviceId}`;
    this.#beingWritten.delete(key);
    this.#recent.add(key);
  }

  /** True if the delivery must not be published again: its outcome is being written, or was written lately. */
  has(messageId: string, deviceId: DeviceId): boolean {
    const key = `${messageId} ${deviceId}`;
    return this.#beingWritten.has(key) || this.#recent.has(key) || this.#older.has(key);
  }

  /** Call it before a statement reads waiting deliveries. @returns the argument of `endReading` */
  startReading(): Set<string> {
    for (const key of this.#recent) this.#older.add(key);
    this.#recent = new Set();
    return this.#older;
  }

  /** Forgets outcomes that were written before the statement began: later statements do not return these deliveries. */
  endReading(recordedBefore: Set<string>): void {
    if (this.#older === recordedBefore) this.#older = new Set();
  }
}
