const NUL_OR_HALF = /[\p{Surrogate}\0]/u;
/** The only spellings by which NUL or half a surrogate pair passes a JSON parser from valid UTF-8. */
const RISKY_ESCAPE = /\\u(?:0000|d[89a-f])/i;

/** What is wrong with text that `isUnstorable`. */
export const UNSTORABLE = 'must not contain NUL or half a surrogate pair';

/** True if PostgreSQL cannot store the text: it contains NUL or half a surrogate pair. */
export function isUnstorable(text: string): boolean {
  return NUL_OR_HALF.test(text);
}

/** A quick check of JSON in valid UTF-8. @returns false if no text in it `isUnstorable` */
export function mayHoldUnstorable(json: string): boolean {
  return RISKY_ESCAPE.test(json);
}
