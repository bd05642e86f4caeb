import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** Names of texts that come and go: those used last. */
const MAX_PASSING_NAMES = 200;
const passing = new LRUCache<string, string>({ max: MAX_PASSING_NAMES });

/**
 * The name under which to prepare a text that is run all the time for some days, and then never again. It stays with a connection
 * until that is closed, which every connection is after a while.
 */
export function preparedName(text: string): string {
  let name = passing.get(text);
  if (name === undefined) passing.set(text, (name = statementName(text)));
  return name;
}

/** The same for the same text in every process, and another for any other: processes may share connections through a pooler. */
export function statementName(text: string): string {
  return `postrider_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
}
