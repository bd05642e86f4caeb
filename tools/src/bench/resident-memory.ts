import { readFileSync } from 'node:fs';

const EVERY_MS = 50;
const KIB_PER_MIB = 1_024;

/** Watches how much memory of a process is resident (Linux; elsewhere it shows no growth). */
export class ResidentMemory {
  readonly #first: number;
  readonly #timer: NodeJS.Timeout;
  #most: number;

  constructor(private readonly pid: number) {
    this.#first = this.#read();
    this.#most = this.#first;
    this.#timer = setInterval(() => (this.#most = Math.max(this.#most, this.#read())), EVERY_MS);
  }

  /** @returns by how many MiB the memory grew at most since the beginning */
  stop(): number {
    clearInterval(this.#timer);
    return (this.#most - this.#first) / KIB_PER_MIB;
  }

  #read(): number {
    try {
      return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8'))?.[1] ?? 0);
    } catch {
      return 0;
    }
  }
}
