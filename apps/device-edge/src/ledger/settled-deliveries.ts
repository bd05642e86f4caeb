import { Injectable } from '@nestjs/common';

/**
 * Deliveries whose end was recorded lately. A statement that began before may still give them as waiting: they are not
 * published again. One reader at a time.
 */
@Injectable()
export class SettledDeliveries {
  #recent = new Set<string>();
  #older = new Set<string>();

  /** To be called when a delivery's end is recorded. */
  add(messageId: string, deviceId: string): void {
    this.#recent.add(`${messageId} ${deviceId}`);
  }

  has(messageId: string, deviceId: string): boolean {
    const key = `${messageId} ${deviceId}`;
    return this.#recent.has(key) || this.#older.has(key);
  }

  /** To be called before a statement reads what waits. @returns what `endReading` takes */
  startReading(): Set<string> {
    for (const key of this.#recent) this.#older.add(key);
    this.#recent = new Set();
    return this.#older;
  }

  /** What was recorded before the statement began, it cannot give any more. */
  endReading(recordedBefore: Set<string>): void {
    if (this.#older === recordedBefore) this.#older = new Set();
  }
}
