import { DAY_MS } from '@postrider/domain';
import type { WallMoment } from './moment-in-zone';

const DIRECTIVE = /%([-_0^#]*)(:?)(\d{0,2})([A-Za-z%])/g;

type Directive = (moment: WallMoment, colon: boolean) => string | number;

/** How wide a number is, and with what it is filled up. */
const WIDTHS: Readonly<Record<string, [width: number, fill: string]>> = {
  C: [2, '0'],
  d: [2, '0'],
  e: [2, ' '],
  H: [2, '0'],
  I: [2, '0'],
  j: [3, '0'],
  k: [2, ' '],
  l: [2, ' '],
  L: [3, '0'],
  m: [2, '0'],
  M: [2, '0'],
  S: [2, '0'],
  U: [2, '0'],
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
  H: ({ hour }) => hour,
  I: ({ hour }) => hour % 12 || 12,
  j: (moment) => dayOfYear(moment),
  k: ({ hour }) => hour,
  l: ({ hour }) => hour % 12 || 12,
  L: ({ millisecond }) => millisecond,
  m: ({ month }) => month,
  M: ({ minute }) => minute,
  n: () => '\n',
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
  w: ({ weekday }) => weekday,
  W: (moment) => weekOfYear(moment, 1),
  x: (moment) => strftime(moment, '%m/%d/%y'),
  X: (moment) => strftime(moment, '%H:%M:%S'),
  y: ({ year }) => ((year % 100) + 100) % 100,
  Y: ({ year }) => year,
  z: ({ offset }, colon) => offsetText(offset, colon),
  Z: ({ timeZone }) => timeZone,
  '%': () => '%',
};

/**
 * A moment by a pattern of C's `strftime`, with its flags `-` (not filled up), `_` and `0` (filled up with blanks, zeros),
 * `^` (capitals), a width, and `%:z`. What is no directive stands as it is.
 */
export function strftime(moment: WallMoment, pattern: string): string {
  return pattern.replace(DIRECTIVE, (whole, flags: string, colon: string, width: string, letter: string) => {
    const directive = DIRECTIVES[letter];
    return directive === undefined ? whole : filled(directive(moment, colon !== ''), flags, width, letter);
  });
}

function filled(value: string | number, flags: string, width: string, letter: string): string {
  const [ownWidth, ownFill] = WIDTHS[letter] ?? [0, typeof value === 'number' ? '0' : ' '];
  const text = flags.includes('^') ? String(value).toUpperCase() : String(value);
  if (flags.includes('-')) return text;
  const fill = flags.includes('_') ? ' ' : flags.includes('0') ? '0' : ownFill;
  return text.padStart(width === '' ? ownWidth : Number(width), fill);
}

/** 1 is the first of January. */
function dayOfYear({ year, month, day }: WallMoment): number {
  const at = (m: number, d: number): number => new Date(0).setUTCFullYear(year, m, d);
  return Math.round((at(month - 1, day) - at(0, 1)) / DAY_MS) + 1;
}

/** The days before the year's first `firstWeekday` are week 0. */
function weekOfYear(moment: WallMoment, firstWeekday: number): number {
  return Math.floor((dayOfYear(moment) + 6 - ((moment.weekday - firstWeekday + 7) % 7)) / 7);
}

function offsetText(offset: number, colon: boolean): string {
  const minutes = Math.abs(offset);
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}${colon ? ':' : ''}${two(minutes % 60)}`;
}
