import { isoMoment } from '@postrider/domain';
import type { Reading } from './read-values';

/** The years 1 to 9999, in milliseconds since 1970. */
const EARLIEST_MS = -62_135_596_800_000;
const LATEST_MS = 253_402_300_799_999;
const DECIMAL = /^-?\d+(?:\.\d+)?$/;

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
