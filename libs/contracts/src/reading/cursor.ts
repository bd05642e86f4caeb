import type { Reading } from '../validation/values';

/** A place in a list, as a text that only we need to understand. */
export function makeCursor(place: string): string {
  return Buffer.from(place, 'utf8').toString('base64url');
}

/** Reads a cursor whose place has to match `form`. */
export function readCursor(value: unknown, form: RegExp): Reading<string> {
  const place = typeof value === 'string' ? Buffer.from(value, 'base64url').toString('utf8') : '';
  return form.test(place) ? { value: place } : { problem: 'must be the nextCursor of an earlier answer' };
}
