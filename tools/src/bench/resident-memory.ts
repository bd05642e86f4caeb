import { readFileSync } from 'node:fs';
import type { AppName } from '../start/system';
import type { BenchSystem } from './bench-system';

const EVERY_MS = 50;
const KIB_PER_MIB = 1_024;

/** Watches how much memory of a process is resident (Linux; elsewhere it shows no growth). */
class ResidentMemory {
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

/** Watches processes of the bench whose memory may grow by so many MiB at most. */
export class MemoryWatch {
  readonly #watched: readonly { app: AppName; memory: ResidentMemory }[];

  constructor(
    bench: BenchSystem,
    apps: readonly AppName[],
    private readonly mostMib: number,
  ) {
    this.#watched = apps.map((app) => ({ app, memory: new ResidentMemory(bench.system.pidOf(app) ?? 0) }));
  }

  /** Says how much each has grown. @returns whether none has grown by more than it may */
  end(progress: (line: string) => void): boolean {
    const grown = this.#watched.map(({ app, memory }) => {
      const mib = memory.stop();
      progress(`${app}: resident memory grew by ${mib.toFixed(0)} MiB at most (goal <= ${this.mostMib})`);
      return mib;
    });
    return grown.every((mib) => mib <= this.mostMib);
  }
}
