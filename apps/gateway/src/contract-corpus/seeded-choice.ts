import { createHash } from 'node:crypto';

/** A short text that is always the same for the same text. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

/** Takes one of `every` named things, always the same ones, independent of the others. */
export function isTaken(name: string, every: number): boolean {
  return parseInt(digestOf(name).slice(0, 8), 16) % every === 0;
}

/** Whole numbers below a bound, the same ones from the same seed. */
export class SeededChoice {
  #drawn = 0;

  constructor(private readonly seed: string) {}

  /** @returns a whole number from 0 to `bound`, without `bound` */
  below(bound: number): number {
    return parseInt(digestOf(`${this.seed} ${this.#drawn++}`).slice(0, 8), 16) % bound;
  }
}
