import { Injectable } from '@nestjs/common';

/**
 * Deliveries that ended: those whose end is being written, and those whose end was written lately. A statement that began
 * before may still give them as waiting: they are not published again. One reader at a time.
 */
@Injectable()
export class SettledDeliveries {
  readonly #beingWritten = new Set<string>();
  #recent = new Set<string>();
  #older = new Set<string>();

  /** To be called when a delivery has ended, and its end is about to be written. */
  begin(messageId: string, deviceId: string): void {
    this.#beingWritten.add(`${messageId} ${deviceId}`);
  }

  /** To be called when a delivery's end is written. */
  add(messageId: string, deviceId: string): void {
    const key = `${messageId} ${deviceId}`;
    this.#beingWritten.delete(key);
    this.#recent.add(key);
  }

  has(messageId: string, deviceId: string): boolean {
    const key = `${messageId} ${deviceId}`;
    return this.#beingWritten.has(key) || this.#recent.has(key) || this.#older.has(key);
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
