import { write, writeSync } from 'node:fs';

/** Lines are written together: after this many bytes, or after a moment at the latest. */
const MAX_BUFFERED_BYTES = 8_192;
const MAX_BUFFERED_MS = 100;
/** What is held beyond this is left to the next write: a pipe takes no more at a time. */
const MAX_WRITTEN_BYTES = 65_536;
/** What is held at most. A collector that restarts catches up with it; lines beyond it are dropped, so that memory does not grow. */
const MAX_HELD_BYTES = 16 * 1_048_576;
/** A reader that is busy is offered the same bytes again after this time. */
const BUSY_MS = 100;
/** A process that ends waits this long for a reader that is busy. */
const LAST_WAIT_MS = 1_000;

/**
 * An open file to which lines are written in the background, in order and many at a time. It wakes the process only while
 * lines are held. A process that exits writes what is held; lines for a reader that is gone are dropped, and so are lines for one
 * that has stopped reading for too long. (`pino.destination` tries for ever to write them, so that the process never ends.)
 */
export class BufferedOutput {
  #held: Buffer[] = [];
  #heldBytes = 0;
  /** The number of lines that were dropped since the reader was last told. */
  #dropped = 0;
  #isWriting = false;
  /** True if nobody will ever read what is written. */
  #isGone = false;
  #timer: NodeJS.Timeout | undefined;
  #whenWritten: (() => void)[] = [];

  /** True once the process ends with what is held: from the first line on, since tests make many outputs that get none. */
  #isHeardAtExit = false;

  /**
   * @param file the descriptor of the file
   * @param onDropped is called with the number of lines that were dropped, as soon as there is room to say so
   * @param maxHeldBytes what is held at most for a reader that has stopped reading
   */
  constructor(
    private readonly file: number,
    private readonly onDropped: (lines: number) => void = () => undefined,
    private readonly maxHeldBytes: number = MAX_HELD_BYTES,
  ) {}

  /** Holds a line until it is written with others. Returns at once. */
  write(line: string): void {
    if (this.#isGone) return;
    if (this.#heldBytes >= this.maxHeldBytes) {
      this.#dropped += 1;
      return;
    }
    if (!this.#isHeardAtExit) process.on('exit', () => this.#writeLast());
    this.#isHeardAtExit = true;
    const bytes = Buffer.from(line);
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    if (this.#heldBytes >= MAX_BUFFERED_BYTES) this.#writeHeld();
    else this.#writeLater();
  }

  /** Calls back when nothing is held any more: all is written, or the reader is gone. */
  flush(written: () => void): void {
    this.#whenWritten.push(written);
    this.#writeHeld();
  }

  #writeHeld(): void {
    if (this.#isWriting) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#heldBytes === 0) {
      for (const written of this.#whenWritten.splice(0)) written();
      return;
    }
    this.#isWriting = true;
    const bytes = this.#take();
    write(this.file, bytes, (error, count) => {
      if (error === null) this.#putBack(bytes.subarray(count));
      else if (!isBusy(error)) this.#giveUp();
      else {
        this.#putBack(bytes);
        setTimeout(() => this.#continue(), BUSY_MS).unref();
        return;
      }
      this.#continue();
    });
  }

  #continue(): void {
    this.#isWriting = false;
    this.#tellDropped();
    if (this.#heldBytes >= MAX_BUFFERED_BYTES || this.#whenWritten.length > 0) this.#writeHeld();
    else if (this.#heldBytes > 0) this.#writeLater();
  }

  /** Waits until half of the room is free: otherwise the reader would be told after each write. */
  #tellDropped(): void {
    if (this.#dropped === 0 || this.#heldBytes > this.maxHeldBytes / 2) return;
    const dropped = this.#dropped;
    this.#dropped = 0;
    this.onDropped(dropped);
  }

  #writeLater(): void {
    if (!this.#isWriting) this.#timer ??= setTimeout(() => this.#writeHeld(), MAX_BUFFERED_MS).unref();
  }

  /** Without an event loop. What is being written in the background is left to that. */
  #writeLast(): void {
    const until = performance.now() + LAST_WAIT_MS;
    while (this.#heldBytes > 0) {
      const bytes = this.#take();
      try {
        this.#putBack(bytes.subarray(writeSync(this.file, bytes)));
      } catch (error) {
        if (!isBusy(error) || performance.now() >= until) return;
        this.#putBack(bytes);
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_MS);
      }
    }
  }

  /** Returns the first lines that are held, for one write. */
  #take(): Buffer {
    let [count, bytes] = [0, 0];
    while (count < this.#held.length && bytes < MAX_WRITTEN_BYTES) bytes += (this.#held[count++] as Buffer).length;
    this.#heldBytes -= bytes;
    return Buffer.concat(this.#held.splice(0, count), bytes);
  }

  #putBack(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#held.unshift(bytes);
    this.#heldBytes += bytes.length;
  }

  #giveUp(): void {
    this.#isGone = true;
    this.#held = [];
    this.#heldBytes = 0;
  }
}

/** True if the reader of a pipe has no room at the moment. */
function isBusy(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EAGAIN' || code === 'EBUSY';
}
