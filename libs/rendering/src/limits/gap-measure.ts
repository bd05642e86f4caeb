import { type Gap, type GapValue, TextWithGaps } from '@postrider/domain';

/** A UTF-16 unit takes at most so many bytes in UTF-8. */
const MOST_BYTES = 3;

/** How many bytes texts with gaps take together, known without filling them. */
export class GapMeasure {
  readonly #gaps: readonly Gap[];
  readonly #fixed: number;

  constructor(texts: readonly string[], nonce: string) {
    const cut = texts.map((text) => new TextWithGaps(text, nonce));
    this.#gaps = cut.flatMap(({ gaps }) => gaps);
    this.#fixed = cut.flatMap(({ pieces }) => pieces).reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
  }

  /** Most values are so short that no byte need be counted. */
  fits(values: readonly GapValue[], limit: number): boolean {
    let units = 0;
    for (const { place, depth } of this.#gaps) units += (values[place] as GapValue).at(depth).length;
    return this.#fixed + units * MOST_BYTES <= limit || this.bytes(values) <= limit;
  }

  bytes(values: readonly GapValue[]): number {
    let bytes = this.#fixed;
    for (const { place, depth } of this.#gaps) bytes += Buffer.byteLength((values[place] as GapValue).at(depth));
    return bytes;
  }
}
