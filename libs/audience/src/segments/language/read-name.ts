import { MAX_NAME_LENGTH, normaliseName } from '@postrider/domain';
import type { Problems } from './problems';

/** Names that reach an object's prototype where a path is followed carelessly. */
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

/** Reads the name of a field: 1 to 255 characters, in NFC. Null when it was bad, which is noted then. */
export function readName(value: unknown, path: string, problems: Problems): string | null {
  if (typeof value !== 'string') return problems.add(path, 'must be the name of a field, as text');
  const name = normaliseName(value);
  if (name === null) {
    return problems.add(path, `must be 1 to ${MAX_NAME_LENGTH} characters without NUL and lone surrogates`);
  }
  if (name.split('.').some((part) => FORBIDDEN.has(part))) {
    return problems.add(path, 'must not hold __proto__, constructor or prototype');
  }
  if (name === 'tags.') return problems.add(path, 'must name a tag after "tags."');
  return name;
}
