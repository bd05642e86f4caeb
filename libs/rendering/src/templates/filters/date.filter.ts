import { DAY_MS, isoMoment, MINUTE_MS } from '@postrider/domain';
import { scopeOf } from '../template-context';
import { type FilterImpl, dateFormat, type DatePlace } from './formatters';

/** Larger numbers would be after the year 5000, so they are in milliseconds. */
const LARGEST_SECONDS = 100_000_000_000;
const LONGEST_TEXT = 64;
const STYLES: readonly string[] = ['short', 'medium', 'long', 'full'];

/**
 * `{{ user.birthday | date: "%d %B" }}`: a moment (ISO 8601 text, `now`, seconds or milliseconds since 1970) by a
 * strftime pattern, or in one of the locale's own styles: `short`, `medium`, `long`, `full`, each also as `long_date`
 * and `long_time`. In the device's locale and time zone, or in the given zone (`"Europe/Berlin"`). A day without a time
 * (`2026-05-01`) is that day everywhere. A value that is not a moment does not change.
 */
export function date(this: FilterImpl, value: unknown, pattern: unknown = 'medium_date', zone?: unknown): unknown {
  const { locale, timeZone, now, budget } = scopeOf(this.context);
  const moment = momentOf(value, now);
  if (moment === null) return value;
  const text = String(pattern);
  budget.step(text.length);
  const place = { budget, locale, timeZone: isDay(value) ? 'UTC' : typeof zone === 'string' ? zone : timeZone };
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

/** A day has no time zone: read as a moment, midnight in UTC, it would be the day before in America. */
function isDay(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value);
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

const DIRECTIVE = /%([-_0^#]*)(:{0,2})(\d{0,2})([A-Za-z%+])/g;

type Directive = (moment: WallMoment, asked: { colons: number; width: number }) => string | number;

/** The width of a number, and its fill character. */
const WIDTHS: Readonly<Record<string, [width: number, fill: string]>> = {
  C: [2, '0'],
  d: [2, '0'],
  e: [2, ' '],
  g: [2, '0'],
  G: [4, '0'],
  H: [2, '0'],
  I: [2, '0'],
  j: [3, '0'],
  k: [2, ' '],
  l: [2, ' '],
  m: [2, '0'],
  M: [2, '0'],
  S: [2, '0'],
  U: [2, '0'],
  V: [2, '0'],
  W: [2, '0'],
  y: [2, '0'],
  Y: [4, '0'],
};

const DIRECTIVES: Readonly<Record<string, Directive>> = {
  a: (moment) => moment.name('weekday', 'short'),
  A: (moment) => moment.name('weekday', 'long'),
  b: (moment) => moment.name('month', 'short'),
  B: (moment) => moment.name('month', 'long'),
  h: (moment) => moment.name('month', 'short'),
  c: (moment) => strftime(moment, '%a %b %e %H:%M:%S %Y'),
  C: ({ year }) => Math.floor(year / 100),
  d: ({ day }) => day,
  D: (moment) => strftime(moment, '%m/%d/%y'),
  e: ({ day }) => day,
  F: (moment) => strftime(moment, '%Y-%m-%d'),
  g: (moment) => lastTwo(isoWeek(moment).year),
  G: (moment) => isoWeek(moment).year,
  H: ({ hour }) => hour,
  I: ({ hour }) => hour % 12 || 12,
  j: (moment) => dayOfYear(moment),
  k: ({ hour }) => hour,
  l: ({ hour }) => hour % 12 || 12,
  L: ({ millisecond }, { width }) => fraction(millisecond, width || 3),
  m: ({ month }) => month,
  M: ({ minute }) => minute,
  n: () => '\n',
  N: ({ millisecond }, { width }) => fraction(millisecond, width || 9),
  p: ({ hour }) => (hour < 12 ? 'AM' : 'PM'),
  P: ({ hour }) => (hour < 12 ? 'am' : 'pm'),
  r: (moment) => strftime(moment, '%I:%M:%S %p'),
  R: (moment) => strftime(moment, '%H:%M'),
  s: ({ time }) => Math.floor(time / 1_000),
  S: ({ second }) => second,
  t: () => '\t',
  T: (moment) => strftime(moment, '%H:%M:%S'),
  u: ({ weekday }) => weekday || 7,
  U: (moment) => weekOfYear(moment, 0),
  v: (moment) => strftime(moment, '%e-%^b-%Y'),
  V: (moment) => isoWeek(moment).week,
  w: ({ weekday }) => weekday,
  W: (moment) => weekOfYear(moment, 1),
  x: (moment) => strftime(moment, '%m/%d/%y'),
  X: (moment) => strftime(moment, '%H:%M:%S'),
  y: ({ year }) => lastTwo(year),
  Y: ({ year }) => year,
  z: ({ offset }, { colons }) => offsetText(offset, colons),
  Z: ({ timeZone }) => timeZone,
  '%': () => '%',
  '+': (moment) => strftime(moment, '%a %b %e %H:%M:%S %Z %Y'),
};

/**
 * A moment by a pattern of Ruby's `strftime`, which Liquid refers to and which has all directives of C: with its flags
 * `-` (not filled), `_` and `0` (filled with blanks, zeros), `^` (capitals), `#` (the other case), a width, `%:z` and
 * `%::z`. Text that is not a directive does not change.
 */
function strftime(moment: WallMoment, pattern: string): string {
  return pattern.replace(DIRECTIVE, (whole, flags: string, colons: string, width: string, letter: string) => {
    const directive = DIRECTIVES[letter];
    if (directive === undefined) return whole;
    const value = directive(moment, { colons: colons.length, width: Number(width) });
    return filled(inCase(value, flags), flags, width, letter);
  });
}

function filled(value: string | number, flags: string, width: string, letter: string): string {
  const [ownWidth, ownFill] = WIDTHS[letter] ?? [0, typeof value === 'number' ? '0' : ' '];
  const text = String(value);
  if (flags.includes('-')) return text;
  const fill = flags.includes('_') ? ' ' : flags.includes('0') ? '0' : ownFill;
  return text.padStart(width === '' ? ownWidth : Number(width), fill);
}

function inCase(value: string | number, flags: string): string | number {
  if (typeof value === 'number') return value;
  const capitals = value.toUpperCase();
  if (flags.includes('#')) return value === capitals ? value.toLowerCase() : capitals;
  return flags.includes('^') ? capitals : value;
}

/** The first digits of the part of a second: a longer part is filled on its right. */
function fraction(millisecond: number, digits: number): string {
  return String(millisecond).padStart(3, '0').slice(0, digits).padEnd(digits, '0');
}

function lastTwo(year: number): number {
  return ((year % 100) + 100) % 100;
}

/** A week of ISO 8601 begins on Monday, and belongs to the year of its Thursday. */
function isoWeek({ year, month, day, weekday }: WallMoment): { year: number; week: number } {
  const thursday = new Date(0);
  thursday.setUTCFullYear(year, month - 1, day + 4 - (weekday || 7));
  const of = { year: thursday.getUTCFullYear(), month: thursday.getUTCMonth() + 1, day: thursday.getUTCDate() };
  return { year: of.year, week: Math.ceil(dayOfYear(of) / 7) };
}

/** 1 is the first of January. */
function dayOfYear({ year, month, day }: Pick<WallMoment, 'year' | 'month' | 'day'>): number {
  const at = (m: number, d: number): number => new Date(0).setUTCFullYear(year, m, d);
  return Math.round((at(month - 1, day) - at(0, 1)) / DAY_MS) + 1;
}

/** The days before the year's first `firstWeekday` are week 0. */
function weekOfYear(moment: WallMoment, firstWeekday: number): number {
  return Math.floor((dayOfYear(moment) + 6 - ((moment.weekday - firstWeekday + 7) % 7)) / 7);
}

/** @param colons 1: between hours and minutes, 2: with seconds too */
function offsetText(offset: number, colons: number): string {
  const minutes = Math.abs(offset);
  const two = (number: number): string => String(number).padStart(2, '0');
  const parts = [two(Math.floor(minutes / 60)), two(minutes % 60), ...(colons === 2 ? ['00'] : [])];
  return `${offset < 0 ? '-' : '+'}${parts.join(colons === 0 ? '' : ':')}`;
}

/** The local time and date of a moment in some place. */
interface WallMoment {
  year: number;
  /** 1 to 12. */
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  millisecond: number;
  /** 0 is Sunday. */
  weekday: number;
  /** Minutes east of UTC. */
  offset: number;
  /** Milliseconds since 1970, in any place. */
  time: number;
  timeZone: string;
  name(part: 'weekday' | 'month', length: 'long' | 'short'): string;
}

/**
 * The local time at a moment. Gregorian and in plain digits, with the names of the locale.
 *
 * @throws Error if the budget is used up
 */
function momentInZone(time: number, place: DatePlace): WallMoment {
  const format = dateFormat({ ...place, locale: 'en' }, 'wall', {
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const parts: Record<string, string> = {};
  for (const { type, value } of format.formatToParts(time)) parts[type] = value;
  const part = (type: string): number => Number(parts[type] ?? 0);
  const year = parts.era === 'B' || parts.era === 'BC' ? 1 - part('year') : part('year');
  const wall = new Date(0);
  wall.setUTCFullYear(year, part('month') - 1, part('day'));
  wall.setUTCHours(part('hour'), part('minute'), part('second'));
  const whole = Math.floor(time / 1_000) * 1_000;
  return {
    year,
    month: part('month'),
    day: part('day'),
    hour: part('hour'),
    minute: part('minute'),
    second: part('second'),
    millisecond: time - whole,
    weekday: wall.getUTCDay(),
    offset: Math.round((wall.getTime() - whole) / MINUTE_MS),
    time,
    timeZone: format.resolvedOptions().timeZone,
    name: (which, length) =>
      dateFormat(place, `${which} ${length}`, { calendar: 'gregory', [which]: length }).format(time),
  };
}
