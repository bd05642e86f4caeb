import { MAX_NAME_LENGTH } from './limits';
import { isUnstorable } from './storable-text';

/** ASCII without NUL is in every normal form (UAX #15), and most text is that. */
const PLAIN = /^[\x01-\x7f]*$/;

/**
 * More marks on one letter than any language writes. Normalising takes time with the square of their number, and a stranger's
 * text may be nothing else.
 */
const PILE_OF_MARKS = /(?<!\p{M})\p{M}{100}/u;

/**
 * Returns a text in the form in which it is stored and compared: Unicode NFC. A text with a hundred combining marks on one
 * letter stays as it is.
 *
 * @returns null if it contains NUL or a lone surrogate, which no database text can
 */
export function normaliseText(text: string): string | null {
  if (PLAIN.test(text)) return text;
  if (isUnstorable(text)) return null;
  return PILE_OF_MARKS.test(text) ? text : text.normalize('NFC');
}

/**
 * A user id, tag, channel or field name in the form in which it is stored and compared: like `normaliseText`, 1 to 255
 * characters.
 *
 * @returns null if it is not such a name
 */
export function normaliseName(text: string): string | null {
  const name = normaliseText(text);
  if (name === null || name === '') return null;
  return name.length <= MAX_NAME_LENGTH || Array.from(name).length <= MAX_NAME_LENGTH ? name : null;
}
