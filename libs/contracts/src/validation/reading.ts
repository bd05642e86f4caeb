import type { ErrorDetail, JsonObject } from '@postrider/domain';

/** What one value is read as, or what is wrong with it. */
export type Reading<T> = { value: T } | { problem: string };

/**
 * Like `Reading`, of a value that can be wrong at places inside it (`[3]`, `.lat`). `readable` is what could be read of
 * one that is wrong, where whoever reads on can find more that is wrong with it.
 */
export type ListReading<T> = Reading<T> | { problems: ErrorDetail[]; readable?: T };

/** Stands in a field whose value could not be read, and says why. Validation refuses it. */
export class Unreadable {
  /**
   * @param of where the paths of the problems begin: at the field ('' or `[3]`), or at the object that holds it ('' or `name`)
   * @param readable what could be read
   */
  constructor(
    readonly problems: readonly ErrorDetail[],
    readonly of: 'field' | 'object' = 'field',
    readonly readable?: unknown,
  ) {}
}

/** What a field holds after reading: its value, or why there is none. */
export function valueOrUnreadable<T>(reading: ListReading<T>): T | Unreadable {
  if ('value' in reading) return reading.value;
  if ('problem' in reading) return new Unreadable([{ path: '', message: reading.problem }]);
  return new Unreadable(reading.problems, 'field', reading.readable);
}

/** True if a parsed JSON value is an object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
