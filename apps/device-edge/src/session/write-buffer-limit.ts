/** A device that has not read for so long is a slow one, however little more is written to it. */
const PATIENCE_MS = 30_000;

/** How much may wait to be written to one connection: what the operator allows, or a single message that is larger. */
export class WriteAllowance {
  /** Of the messages that were let through and take up much of what is allowed, the largest. */
  #largestBytes = 0;

  /** Since when more than half of what is allowed has waited; null: it does not. */
  #crowdedSinceMs: number | null = null;

  constructor(private readonly bufferBytes: number) {}

  /** Whether a message may be written now. One that nothing waits before always may: it does not make the device a slow one. */
  takes(bytes: number, pendingBytes: number): boolean {
    if (pendingBytes > this.bufferBytes / 2 || (pendingBytes > 0 && pendingBytes + bytes > this.bufferBytes))
      return false;
    if (bytes > this.bufferBytes / 2) this.#largestBytes = Math.max(this.#largestBytes, bytes);
    return true;
  }

  /** Whether so much waits that the device must be a slow one. */
  isExceeded(pendingBytes: number): boolean {
    return pendingBytes > this.bufferBytes + this.#largestBytes;
  }

  /** Whether so much has waited for so long that the device must be a slow one. To be asked every second or so. */
  isStuck(pendingBytes: number, nowMs: number): boolean {
    if (pendingBytes <= this.bufferBytes / 2) this.#crowdedSinceMs = null;
    else this.#crowdedSinceMs ??= nowMs;
    return this.#crowdedSinceMs !== null && nowMs - this.#crowdedSinceMs > PATIENCE_MS;
  }
}
