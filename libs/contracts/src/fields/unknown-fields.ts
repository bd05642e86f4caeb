import type { JsonValue } from '@postrider/domain';

/** How many fields that we do not know a message may bring, in all its objects. */
export const MOST_UNKNOWN_FIELDS = 100;
/** How many bytes of JSON they take together. */
export const MOST_UNKNOWN_BYTES = 16_384;

/** Counts the unknown fields of one message: they are kept and passed on unread, and cost everybody who handles them. */
export class UnknownFields {
  #fields = 0;
  #bytes = 0;
  #isTooMuch = false;

  /** Takes one more. @returns null, or what is wrong with there being one more; `reported` after the first such answer */
  add(name: string, value: JsonValue): string | null {
    if (this.#isTooMuch) return 'reported';
    this.#fields += 1;
    if (this.#fields > MOST_UNKNOWN_FIELDS) {
      return this.#refuse(`is one unknown field too many: a message has at most ${MOST_UNKNOWN_FIELDS}`);
    }
    this.#bytes += Buffer.byteLength(name) + Buffer.byteLength(JSON.stringify(value));
    if (this.#bytes <= MOST_UNKNOWN_BYTES) return null;
    return this.#refuse(
      `is unknown, and too big: the unknown fields of a message have at most ${MOST_UNKNOWN_BYTES} bytes`,
    );
  }

  #refuse(problem: string): string {
    this.#isTooMuch = true;
    return problem;
  }
}
