import { dangerousScheme, isoMoment, normaliseName, normaliseText } from '@postrider/domain';
import type { ListReading, Reading } from './reading';

export type { Reading } from './reading';

/** The longest link that leads a person somewhere, or that a device reports. */
export const LONGEST_LINK = 4_096;

/** The years 1 to 9999, in milliseconds since 1970. */
const EARLIEST_MS = -62_135_596_800_000;
const LATEST_MS = 253_402_300_799_999;
const TRUE: readonly unknown[] = [true, 1, 'true', '1'];
const FALSE: readonly unknown[] = [false, 0, 'false', '0'];
const DECIMAL = /^-?\d+(?:\.\d+)?$/;

/** `true`/`false`, `1`/`0`, or either as text. */
export function readBoolean(value: unknown): Reading<boolean> {
  if (TRUE.includes(value)) return { value: true };
  if (FALSE.includes(value)) return { value: false };
  return { problem: 'must be a boolean: true, false, 1, 0, or one of these as text' };
}

/** A number, or a plain decimal as text, that is whole and between `min` and `max`. */
export function readInteger(value: unknown, min: number, max: number): Reading<number> {
  const number = typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max)
    return { value: number };
  return { problem: `must be a whole number from ${min} to ${max}` };
}

/** A user id, channel or tracking id: 1 to 255 characters, in Unicode NFC. */
export function readName(value: unknown): Reading<string> {
  const name = typeof value === 'string' ? normaliseName(value) : null;
  return name === null ? { problem: 'must be text of 1 to 255 characters' } : { value: name };
}

/** A link of any scheme except those that run or read something on the device. */
export function readLink(value: unknown): Reading<string> {
  if (typeof value !== 'string') return { problem: 'must be text' };
  const scheme = dangerousScheme(value);
  return scheme === null ? { value } : { problem: `must not use the scheme ${scheme}:` };
}

/** Text, possibly empty. */
export function readText(value: unknown): Reading<string> {
  return typeof value === 'string' ? { value } : { problem: 'must be text' };
}

/** Text that is not empty. */
export function readFilledText(value: unknown): Reading<string> {
  return typeof value === 'string' && value !== '' ? { value } : { problem: 'must be text that is not empty' };
}

/** Text that matches `form`. */
export function readTextLike(value: unknown, form: RegExp, says: string, maxLength = Infinity): Reading<string> {
  return typeof value === 'string' && value.length <= maxLength && form.test(value) ? { value } : { problem: says };
}

/** Text of at most `max` characters, in Unicode NFC. Undefined if it is empty. */
export function readTextUpTo(value: unknown, max: number): Reading<string | undefined> {
  const text = typeof value === 'string' && value.length <= max ? normaliseText(value) : null;
  return text === null ? { problem: `must be text of at most ${max} characters` } : { value: text || undefined };
}

/** A moment: milliseconds since 1970 (also in digits) or ISO 8601 text. */
export function readTime(value: unknown): Reading<Date> {
  const ms = numberOf(value) ?? isoMs(value);
  if (ms !== null && ms >= EARLIEST_MS && ms <= LATEST_MS) return { value: new Date(Math.round(ms)) };
  return { problem: 'must be a time: milliseconds since 1970 or ISO 8601' };
}

/** A number, or a plain decimal as text, between `min` and `max`. */
export function readNumber(value: unknown, min: number, max: number): Reading<number> {
  const number = numberOf(value);
  if (number !== null && number >= min && number <= max) return { value: number };
  return { problem: `must be a number from ${min} to ${max}` };
}

function numberOf(value: unknown): number | null {
  if (typeof value === 'string') return DECIMAL.test(value) ? Number(value) : null;
  return typeof value === 'number' ? value : null;
}

function isoMs(value: unknown): number | null {
  const moment = typeof value === 'string' ? isoMoment(value) : null;
  return moment === null ? null : Number(moment / 1000n);
}

/** A list, each entry read by `read`. Problems of an entry are reported under its index. */
export function readList<T>(
  value: unknown,
  read: (value: unknown) => Reading<T>,
  { min, max = Infinity, isSet }: { min: number; max?: number; isSet: boolean },
): ListReading<T[]> {
  if (!Array.isArray(value) || value.length < min || value.length > max) {
    return { problem: `must be an array of ${numbersOf(min, max)} entries` };
  }
  const problems: { path: string; message: string }[] = [];
  const values = value.flatMap((item: unknown, index): T[] => {
    const reading = read(item);
    if ('value' in reading) return [reading.value];
    problems.push({ path: `[${index}]`, message: reading.problem });
    return [];
  });
  if (problems.length > 0) return { problems };
  return { value: isSet ? [...new Set(values)] : values };
}

function numbersOf(min: number, max: number): string {
  if (max === Infinity) return `${min} or more`;
  return min === 0 ? `at most ${max}` : `${min} to ${max}`;
}
