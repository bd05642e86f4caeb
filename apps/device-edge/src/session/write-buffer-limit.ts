/** A device is too slow if its buffer stays more than half full for longer than this. */
const STUCK_AFTER_MS = 30_000;

/** How many bytes may wait to be written to one connection: `bufferBytes`, or more for a single larger message. */
export class WriteBufferLimit {
  /** The size of the largest admitted message that takes more than half of the limit. */
  #largestBytes = 0;

  /** Since when more than half of the limit has been waiting. Null: it is less. */
  #crowdedSinceMs: number | null = null;

  constructor(private readonly bufferBytes: number) {}

  /** True if a message may be written now. If nothing else waits, it always may, however large it is. */
  takes(bytes: number, pendingBytes: number): boolean {
    if (pendingBytes > this.bufferBytes / 2 || (pendingBytes > 0 && pendingBytes + bytes > this.bufferBytes))
      return false;
    if (bytes > this.bufferBytes / 2) this.#largestBytes = Math.max(this.#largestBytes, bytes);
    return true;
  }

  /** True if so much waits that the device is too slow. */
  isExceeded(pendingBytes: number): boolean {
    return pendingBytes > this.bufferBytes + this.#largestBytes;
  }

  /** True if the buffer has been crowded for so long that the device is too slow. Call it about once a second. */
  isStuck(pendingBytes: number, nowMs: number): boolean {
    if (pendingBytes <= this.bufferBytes / 2) this.#crowdedSinceMs = null;
    else this.#crowdedSinceMs ??= nowMs;
    return this.#crowdedSinceMs !== null && nowMs - this.#crowdedSinceMs > STUCK_AFTER_MS;
  }
}
