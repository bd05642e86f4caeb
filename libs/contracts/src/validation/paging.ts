import { fieldOf } from './field';
import { IsWholeNumber } from './fields';
import type { Reading } from './reading';

/** A place in a list, as a text that only we understand. */
export function makeCursor(place: string): string {
  return Buffer.from(place, 'utf8').toString('base64url');
}

/** The cursor of a list by time: `id` stands at `at`, to the millisecond. */
export function makeTimedCursor(at: Date, id: string): string {
  return makeCursor(`${at.getTime()} ${id}`);
}

/**
 * Cuts what was read of a list to the entries that a caller gets.
 *
 * @param found the entries that were read: up to one more than `limit`, which shows that the list goes on
 * @param cursorOf the cursor behind an entry, for the last one that the caller gets
 * @returns the cursor null at the end of the list
 */
export function cutList<Entry>(
  found: readonly Entry[],
  limit: number,
  cursorOf: (last: Entry) => string,
): { entries: Entry[]; nextCursor: string | null } {
  const entries = found.slice(0, limit);
  const last = entries.at(-1);
  return { entries, nextCursor: found.length > limit && last !== undefined ? cursorOf(last) : null };
}

/** The place that `makeTimedCursor` was given, as `@IsCursor` reads it. Null: the beginning of the list. */
export function timedPlaceOf(place: string | undefined): { at: Date; id: string } | null {
  if (place === undefined) return null;
  const [at = '', id = ''] = place.split(' ');
  return { at: new Date(Number(at)), id };
}

/** The place that `makeCursor` was given. */
export function placeOf(cursor: string): string {
  return Buffer.from(cursor, 'base64url').toString('utf8');
}

/** Says if a text can be a place in a list: a pattern, or a function. The database reads every place that it accepts. */
type FormOfPlace = Pick<RegExp, 'test'>;

/** Reads a cursor whose place must match `form`. */
function readCursor(value: unknown, form: FormOfPlace): Reading<string> {
  const place = typeof value === 'string' ? placeOf(value) : '';
  return form.test(place) ? { value: place } : { problem: 'must be the nextCursor of an earlier answer' };
}

/** Where a list continues. Absent: from its beginning. Reads as the place that `makeCursor` got. */
export function IsCursor(form: FormOfPlace): PropertyDecorator {
  return fieldOf({
    name: 'isCursor',
    read: (value) => readCursor(value, form),
    schema: { type: 'string', description: '`nextCursor` of an earlier answer' },
    isOptional: true,
  });
}

/** How many entries of a list to return: at most `most`, by default `usual`. */
export function IsLimit(most: number, usual: number): PropertyDecorator {
  return IsWholeNumber(1, most, { default: usual, description: 'the maximum number of entries in the answer' });
}
