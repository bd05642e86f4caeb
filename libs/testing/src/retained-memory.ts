import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { untilTrue } from './until';

/** Measures how much of this process's memory is in use after garbage collection. */
export class RetainedMemory {
  readonly #collect: () => void;
  readonly #first: number;

  /** The present use is the base of later comparisons. */
  constructor() {
    setFlagsFromString('--expose-gc');
    this.#collect = runInNewContext('gc') as () => void;
    this.#first = this.#inUse();
  }

  /** Waits until less than so many bytes more are in use: buffers are given back by a thread that a loaded machine delays. */
  untilLessThan(bytes: number): Promise<void> {
    return untilTrue(() => this.#inUse() - this.#first < bytes);
  }

  #inUse(): number {
    this.#collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  }
}
