import { fieldOf } from './field';
import { IsWholeNumber } from './fields';
import type { Reading } from './reading';

/** A place in a list, as a text that only we need to understand. */
export function makeCursor(place: string): string {
  return Buffer.from(place, 'utf8').toString('base64url');
}

/** The place that `makeCursor` was given. */
export function placeOf(cursor: string): string {
  return Buffer.from(cursor, 'base64url').toString('utf8');
}

/** Reads a cursor whose place has to match `form`. */
export function readCursor(value: unknown, form: RegExp): Reading<string> {
  const place = typeof value === 'string' ? placeOf(value) : '';
  return form.test(place) ? { value: place } : { problem: 'must be the nextCursor of an earlier answer' };
}

/** Where in a list to go on; absent: from its beginning. Reads as the place that `makeCursor` was given. */
export function IsCursor(form: RegExp): PropertyDecorator {
  return fieldOf({
    name: 'isCursor',
    read: (value) => readCursor(value, form),
    schema: { type: 'string', description: '`nextCursor` of an earlier answer' },
    isOptional: true,
  });
}

/** How many entries of a list to answer: at most `most`, and `usual` when nothing is said. */
export function IsLimit(most: number, usual: number): PropertyDecorator {
  return IsWholeNumber(1, most, { default: usual, description: 'the maximum number of entries in the answer' });
}

/** A part of a list, and where the next part begins; null: this is the end. */
export type Listed<Name extends string, Item> = Record<Name, Item[]> & { nextCursor: string | null };
