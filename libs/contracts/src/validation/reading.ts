import type { ErrorDetail } from '@postrider/domain';

/** The result of reading one value: the value, or its problem. */
export type Reading<T> = { value: T } | { problem: string };

/**
 * Like `Reading`, for a value that can be wrong at places inside it (`[3]`, `.lat`). `readable` is the readable part of
 * a wrong value, in which the reader can find further problems.
 */
export type ListReading<T> = Reading<T> | { problems: ErrorDetail[]; readable?: T };

/** Replaces the value of a field that could not be read, and says why. Validation refuses it. */
export class Unreadable {
  /**
   * @param of where the paths of the problems begin: at the field ('' or `[3]`), or at the object that holds it ('' or
   * `name`)
   * @param readable the readable part
   */
  constructor(
    readonly problems: readonly ErrorDetail[],
    readonly of: 'field' | 'object' = 'field',
    readonly readable?: unknown,
  ) {}
}

/** The value of a field after reading, or the reason why there is none. */
export function valueOrUnreadable<T>(reading: ListReading<T>): T | Unreadable {
  if ('value' in reading) return reading.value;
  if ('problem' in reading) return new Unreadable([{ path: '', message: reading.problem }]);
  return new Unreadable(reading.problems, 'field', reading.readable);
}
