/**
 * Returns a text without a character that is repeated at its end: `withoutTrailing('a//', '/')` is `a`. Not by `/\/+$/`,
 * whose time grows with the square of the characters that stand before another one: the text may be a stranger's.
 *
 * @param character one UTF-16 unit
 */
export function withoutTrailing(text: string, character: string): string {
  let { length } = text;
  while (text[length - 1] === character) length -= 1;
  return text.slice(0, length);
}
