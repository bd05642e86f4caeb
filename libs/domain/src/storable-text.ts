const NUL_OR_HALF = /[\p{Surrogate}\0]/u;
const EACH_NUL_OR_HALF = new RegExp(NUL_OR_HALF, 'gu');
/** The only spellings by which NUL or half a surrogate pair passes a JSON parser from valid UTF-8. */
const RISKY_ESCAPE = /\\u(?:0000|d[89a-f])/i;

/** What is wrong with text that `isUnstorable`. */
export const UNSTORABLE = 'must not contain NUL or half a surrogate pair';

/** True if PostgreSQL cannot store the text: it contains NUL or half a surrogate pair. */
export function isUnstorable(text: string): boolean {
  return NUL_OR_HALF.test(text);
}

/**
 * The beginning of a text that somebody else wrote, in a form that PostgreSQL stores, inside JSON too: without NUL and
 * halves of surrogate pairs, one of which a cut may leave.
 */
export function storableText(text: string, most: number): string {
  return text.slice(0, most).replace(EACH_NUL_OR_HALF, '');
}

/** A quick check of JSON in valid UTF-8. @returns false if no text in it `isUnstorable` */
export function mayHoldUnstorable(json: string): boolean {
  return RISKY_ESCAPE.test(json);
}
