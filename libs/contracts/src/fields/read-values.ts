import { dangerousScheme, normaliseName } from '@postrider/domain';

/** What one value was read as, or what is wrong with it. */
export type Reading<T> = { value: T } | { problem: string };

const TRUE: readonly unknown[] = [true, 1, 'true', '1'];
const FALSE: readonly unknown[] = [false, 0, 'false', '0'];
const DECIMAL = /^-?\d+(?:\.\d+)?$/;

/** `true`/`false`, `1`/`0`, or either as text (decisions, Booleans). */
export function readBoolean(value: unknown): Reading<boolean> {
  if (TRUE.includes(value)) return { value: true };
  if (FALSE.includes(value)) return { value: false };
  return { problem: 'must be a boolean: true, false, 1, 0, or one of these as text' };
}

/** A number, or a plain decimal as text, that is whole and lies between `min` and `max`. */
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

/** A link of any scheme but those that would run or read something on the device (decisions, Links). */
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
