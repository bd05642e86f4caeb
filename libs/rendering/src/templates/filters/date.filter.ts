import { isoMoment } from '@postrider/domain';
import type { FilterImpl } from './charged';
import { scopeOf } from '../template-context';
import { dateFormat } from './formatters';
import { momentInZone } from './moment-in-zone';
import { strftime } from './strftime';

/** Seconds beyond this would lie past the year 5000: such a number is in milliseconds. */
const LARGEST_SECONDS = 100_000_000_000;
const LONGEST_TEXT = 64;
const STYLES: readonly string[] = ['short', 'medium', 'long', 'full'];

/**
 * `{{ user.birthday | date: "%d %B" }}`: a moment (ISO 8601 text, `now`, seconds or milliseconds since 1970) by a strftime
 * pattern, or in one of the locale's own styles: `short`, `medium`, `long`, `full`, each also as `long_date` and
 * `long_time`. In the device's locale and time zone, or in the one given (`"Europe/Berlin"`). What is no moment is left as
 * it is.
 */
export function date(this: FilterImpl, value: unknown, pattern: unknown = 'medium_date', zone?: unknown): unknown {
  const { locale, timeZone, now, budget } = scopeOf(this.context);
  const moment = momentOf(value, now);
  if (moment === null) return value;
  const text = String(pattern);
  budget.step(text.length);
  const place = { budget, locale, timeZone: typeof zone === 'string' ? zone : timeZone };
  const style = styleOf(text);
  if (style !== null) return dateFormat(place, text, style).format(moment);
  return strftime(momentInZone(moment, place), text);
}

/** The moment in milliseconds since 1970. */
function momentOf(value: unknown, now: Date): number | null {
  if (typeof value === 'number') return inRange(Math.abs(value) > LARGEST_SECONDS ? value : value * 1_000);
  if (typeof value !== 'string' || value.length > LONGEST_TEXT) return null;
  if (value === 'now' || value === 'today') return now.getTime();
  if (/^-?\d{1,16}$/.test(value)) return momentOf(Number(value), now);
  const micros = isoMoment(value);
  return micros === null ? null : Number(micros / 1000n);
}

function inRange(milliseconds: number): number | null {
  return Math.abs(milliseconds) <= 8.64e15 ? milliseconds : null;
}

function styleOf(pattern: string): Intl.DateTimeFormatOptions | null {
  const [style = '', part] = pattern.split('_');
  if (!STYLES.includes(style)) return null;
  const named = style as 'short' | 'medium' | 'long' | 'full';
  if (part === 'date') return { dateStyle: named };
  if (part === 'time') return { timeStyle: named };
  return part === undefined ? { dateStyle: named, timeStyle: 'short' } : null;
}
