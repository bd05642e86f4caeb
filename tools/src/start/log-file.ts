import { createWriteStream, type WriteStream } from 'node:fs';

/**
 * A file to which the output of a process is appended. What cannot be written, because the disk is full, is lost: the process
 * continues, and so does the one that reads its output.
 */
export class LogFile {
  #stream: WriteStream | null = null;
  #isBroken = false;

  constructor(private readonly path: string) {}

  /** Appends a text. After a failure the file is opened again. */
  write(text: Buffer): void {
    this.#stream ??= this.#open();
    this.#stream.write(text, (error) => {
      if (!error) this.#isBroken = false;
    });
  }

  /** Writes what is left, and closes the file. */
  end(): void {
    this.#stream?.end();
    this.#stream = null;
  }

  #open(): WriteStream {
    const stream = createWriteStream(this.path, { flags: 'a' });
    stream.on('error', ({ message }) => {
      if (this.#stream === stream) this.#stream = null;
      // Told once, until it can be written again.
      if (!this.#isBroken) {
        console.error(`The log ${this.path} cannot be written: ${message}. Its lines are lost until it can.`);
      }
      this.#isBroken = true;
    });
    return stream;
  }
}
