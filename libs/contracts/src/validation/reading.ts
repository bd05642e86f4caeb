import type { ErrorDetail, JsonObject } from '@postrider/domain';

/** What one value is read as, or what is wrong with it. */
export type Reading<T> = { value: T } | { problem: string };

/** As `Reading`, of a value that can be wrong at places inside it (`[3]`, `.lat`). */
export type ListReading<T> = Reading<T> | { problems: ErrorDetail[] };

/** Stands in a field whose value could not be read, and says why. Validation refuses it. */
export class Unreadable {
  /** @param of where the paths of the problems begin: at the field ('' or `[3]`), or at the object that holds it ('' or `name`) */
  constructor(
    readonly problems: readonly ErrorDetail[],
    readonly of: 'field' | 'object' = 'field',
  ) {}
}

/** What a field holds after reading: its value, or why there is none. */
export function valueOrUnreadable<T>(reading: ListReading<T>): T | Unreadable {
  if ('value' in reading) return reading.value;
  return new Unreadable('problems' in reading ? reading.problems : [{ path: '', message: reading.problem }]);
}

/** Whether a parsed JSON value is an object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
