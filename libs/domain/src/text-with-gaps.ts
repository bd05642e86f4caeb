/**
 * A value for the gaps of a text: unescaped, escaped for a JSON text, or escaped twice, for a JSON text inside a JSON
 * text.
 */
export class GapValue {
  private escaped: string | null = null;
  private escapedTwice: string | null = null;

  constructor(readonly raw: string) {}

  /** @param depth in how many JSON texts the gap is nested */
  at(depth: number): string {
    if (depth === 0) return this.raw;
    this.escaped ??= escape(this.raw);
    if (depth === 1) return this.escaped;
    this.escapedTwice ??= escape(this.escaped);
    return this.escapedTwice;
  }
}

/** A gap of a text: the value that belongs there, and in how many JSON texts it is nested. */
export interface Gap {
  readonly place: number;
  readonly depth: number;
}

/** The beginnings of a link that is a mark, as far as payloads differ by them. */
const PREFIXES = ['https://', 'app:'] as const;

/**
 * A placeholder for the value of `place` in an object until the object is a JSON text. Its quote then shows how often
 * it was escaped. It must be a whole string of the object.
 *
 * @param nonce letters and digits that nobody can guess, so that no text of a caller is taken for a mark
 */
export function gapMark(nonce: string, place: number, prefix: '' | (typeof PREFIXES)[number] = ''): string {
  return `${prefix}"${nonce}${place};`;
}

/** A text that is cut at its marks, to be filled for many devices. At most two JSON texts may be nested. */
export class TextWithGaps {
  readonly pieces: string[] = [];
  readonly gaps: Gap[] = [];

  constructor(text: string, nonce: string) {
    const mark = new RegExp(`(?:${PREFIXES.join('|')})?(\\\\*)"${nonce}(\\d+);`, 'g');
    let begin = 0;
    for (const { 0: found, 1: escapes = '', 2: place, index } of text.matchAll(mark)) {
      this.pieces.push(text.slice(begin, index));
      // A quote that was escaped n times has 2^n - 1 backslashes before it.
      this.gaps.push({ place: Number(place), depth: Math.log2(escapes.length + 1) });
      begin = index + found.length;
    }
    this.pieces.push(text.slice(begin));
  }

  /** The text with these values in its gaps, by their places. */
  fill(values: readonly GapValue[]): string {
    const { pieces, gaps } = this;
    let text = pieces[0] as string;
    for (let index = 0; index < gaps.length; index++) {
      const { place, depth } = gaps[index] as Gap;
      text += (values[place] as GapValue).at(depth) + (pieces[index + 1] as string);
    }
    return text;
  }
}

/** The common part of payloads that were made for one device each, and the values of this one. */
export interface PayloadFilling<Payload> {
  /** The same object for all payloads that differ only in the values of their gaps. Its texts contain the marks. */
  readonly shape: Payload;
  readonly nonce: string;
  readonly values: readonly GapValue[];
}

function escape(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
