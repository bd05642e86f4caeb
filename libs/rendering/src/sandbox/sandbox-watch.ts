import { readFileSync } from 'node:fs';

/** How often it is looked whether a sandbox gets on. */
const LOOK_EVERY_MS = 50;
/** A text takes a millisecond. One that is still worked on after so many looks, and so much computing, never ends. */
const MOST_LOOKS = 20;
const MOST_CPU_MS = 800;
/** Where computing cannot be looked up, time has to do. */
const MOST_LOOKS_ALONE = 200;
/** Linux counts in hundredths of a second. */
const MS_PER_TICK = 10;

/**
 * Watches a process that works, and says when it has been at the same place for too long. Computing is what counts: a process
 * that a busy machine gives no time has done nothing wrong.
 */
export class SandboxWatch {
  readonly #timer: NodeJS.Timeout;
  #place = -1;
  #looks = 0;
  #cpuMs: number | null = null;

  constructor(
    private readonly pid: number,
    private readonly placeOf: () => number,
    private readonly tooLong: () => void,
  ) {
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS);
  }

  end(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const place = this.placeOf();
    if (place !== this.#place) {
      this.#place = place;
      this.#looks = 0;
      this.#cpuMs = cpuMsOf(this.pid);
    }
    this.#looks += 1;
    if (this.#looks > MOST_LOOKS && this.#hasComputed()) this.tooLong();
  }

  #hasComputed(): boolean {
    const cpuMs = cpuMsOf(this.pid);
    if (cpuMs === null || this.#cpuMs === null) return this.#looks > MOST_LOOKS_ALONE;
    return cpuMs - this.#cpuMs > MOST_CPU_MS;
  }
}

/** Time that a process has computed, as proc(5) tells it; null where there is no such thing. */
function cpuMsOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [, ...fields] = stat.slice(stat.lastIndexOf(')')).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
  } catch {
    return null;
  }
}
