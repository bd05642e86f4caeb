import { IMPORT_LISTS } from '@postrider/domain';

const BLANK_OR_COMMA = /[\s,]/;

/**
 * Returns the texts of the first elements in the beginning of a JSON document, as the gateway cuts it: of an array, of
 * the list in a member of an object or of the first page in an array (`IMPORT_LISTS`), or objects one behind the other.
 * An element that does not end in the text is left out.
 */
export function jsonElements(text: string, most: number): string[] {
  const begin = skipTo(text, 0);
  if (text[begin] === '[') {
    const page = listIn(text, skipTo(text, begin + 1), IMPORT_LISTS.pageNames);
    return elementsFrom(text, page ?? begin + 1, most);
  }
  const list = listIn(text, begin, IMPORT_LISTS.listNames);
  return elementsFrom(text, list ?? begin, most);
}

function elementsFrom(text: string, from: number, most: number): string[] {
  const texts: string[] = [];
  let at = skipTo(text, from);
  while (texts.length < most && at < text.length && text[at] !== ']') {
    const end = endOfValue(text, at);
    if (end === null) break;
    texts.push(text.slice(at, end));
    at = skipTo(text, end);
  }
  return texts;
}

/** The place behind the bracket of the list that the object at `begin` holds in a member, or null. */
function listIn(text: string, begin: number, names: readonly string[]): number | null {
  if (text[begin] !== '{') return null;
  let at = skipTo(text, begin + 1);
  while (text[at] === '"') {
    const endOfName = endOfValue(text, at);
    if (endOfName === null) return null;
    const value = skipTo(text, text.indexOf(':', endOfName) + 1);
    const name = text.slice(at + 1, endOfName - 1);
    if (text[value] === '[' && names.includes(name)) return value + 1;
    at = skipTo(text, endOfValue(text, value) ?? text.length);
  }
  return null;
}

function skipTo(text: string, from: number): number {
  let at = from;
  while (at < text.length && BLANK_OR_COMMA.test(text[at] as string)) at += 1;
  return at;
}

/** The place behind the value at `from`; null if it does not end in the text. */
function endOfValue(text: string, from: number): number | null {
  const first = text[from];
  if (first === '"') return endOfText(text, from);
  if (first !== '{' && first !== '[') {
    const length = text.slice(from).search(/[\s,\]}]/);
    return length > 0 ? from + length : null;
  }
  return endOfBrackets(text, from);
}

function endOfBrackets(text: string, from: number): number | null {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const letter = text[at] as string;
    if (letter === '"') {
      const end = endOfText(text, at);
      if (end === null) return null;
      at = end - 1;
    } else if ('{['.includes(letter)) depth += 1;
    else if (']}'.includes(letter) && (depth -= 1) === 0) return at + 1;
  }
  return null;
}

function endOfText(text: string, from: number): number | null {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return null;
}
