import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** How many names of statements are kept that are used for some days only: the last used ones. */
const MAX_PASSING_NAMES = 200;
const passing = new LRUCache<string, string>({ max: MAX_PASSING_NAMES });

/**
 * Returns the name under which to prepare a statement that runs often for some days, and then never again. It stays
 * with a connection until the connection is closed, which happens after a while.
 */
export function preparedName(text: string): string {
  let name = passing.get(text);
  if (name === undefined) passing.set(text, (name = statementName(text)));
  return name;
}

/**
 * Returns the name of a statement. Equal texts have equal names in all processes, and different texts have different
 * names, because processes may share connections through a pooler.
 */
export function statementName(text: string): string {
  return `postrider_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
}
