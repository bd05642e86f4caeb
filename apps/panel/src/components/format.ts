import { DAY_SECONDS } from '@postrider/domain';
import { LOCALE } from '../model/locale';

const NUMBER = new Intl.NumberFormat(LOCALE);
const COMPACT = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 1 });
const DAY_AND_TIME = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short' });
const DAY_AND_TIME_IN_UTC = new Intl.DateTimeFormat(LOCALE, {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});
const PRECISE = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'full', timeStyle: 'long' });
const HOUR = new Intl.DateTimeFormat(LOCALE, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const DAY_IN_UTC = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', timeZone: 'UTC' });
/** Words, which are English everywhere in the panel. */
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** `1234567` → `1,234,567`. */
export function formatCount(count: number): string {
  return NUMBER.format(count);
}

/** The first letter of a name, in capitals; a sign outside of the first Unicode plane, such as an emoji, is not cut in two. */
export function initialOf(name: string): string {
  return (Array.from(name)[0] ?? '').toUpperCase();
}

/** `1234567` → `1.2M`; small numbers as they are. */
export function formatCompact(count: number): string {
  return count < 10_000 ? NUMBER.format(count) : COMPACT.format(count);
}

/** `1, 'device', 'devices'` → `1 device`. */
export function formatNoun(count: number, one: string, many = `${one}s`): string {
  return `${NUMBER.format(count)} ${count === 1 ? one : many}`;
}

/** `1.25, 1` → `1.3`. */
function formatDecimal(value: number, digits: number): string {
  return value.toLocaleString(LOCALE, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Formats a share in percent; never `0 %` of a part that is not zero, nor `100 %` of a part that is not the whole. */
export function formatShare(part: number, whole: number): string {
  if (whole <= 0 || part <= 0) return '0 %';
  if (part >= whole) return '100 %';
  const percent = (part / whole) * 100;
  if (percent < 0.1) return `< ${formatDecimal(0.1, 1)} %`;
  if (percent > 99.9) return `> ${formatDecimal(99.9, 1)} %`;
  return `${formatDecimal(percent, percent < 9.95 || percent >= 99.5 ? 1 : 0)} %`;
}

/** Formats a measured share between 0 and 1 and the range of the true one: `18.1 %`, `(12.2–26.1 %)`; null: no data. */
export function formatEstimate(estimate: {
  share: number | null;
  low: number | null;
  high: number | null;
}): { share: string; interval: string } | null {
  const { share, low, high } = estimate;
  if (share === null || low === null || high === null) return null;
  // Small shares differ behind the first decimal.
  const percent = (part: number): string => formatDecimal(part * 100, high < 0.1 ? 2 : 1);
  return { share: `${percent(share)} %`, interval: `(${percent(low)}–${percent(high)} %)` };
}

/** A moment in the reader's time zone. */
export function formatMoment(at: string | Date): string {
  return DAY_AND_TIME.format(new Date(at));
}

/**
 * A time of every device's own clock, `2026-12-01T10:00`: no moment, so it is read in no time zone. The reader's clock may even skip it.
 */
export function formatWallTime(at: string): string {
  return DAY_AND_TIME_IN_UTC.format(new Date(`${at.slice(0, 'yyyy-mm-ddThh:mm'.length)}Z`));
}

/** The same as `formatMoment` with weekday, seconds and zone. */
export function formatPrecisely(at: string | Date): string {
  return PRECISE.format(new Date(at));
}

/** The hour, in the reader's time zone, or the day for which something was counted. A counted day is one of UTC. */
export function formatCountedTime(at: string, interval: 'hour' | 'day'): string {
  return (interval === 'hour' ? HOUR : DAY_IN_UTC).format(new Date(at));
}

const STEPS = [
  { unit: 'second', seconds: 1, below: 60 },
  { unit: 'minute', seconds: 60, below: 3_600 },
  { unit: 'hour', seconds: 3_600, below: DAY_SECONDS },
  { unit: 'day', seconds: DAY_SECONDS, below: 30 * DAY_SECONDS },
] as const;

/**
 * Formats as `3 minutes ago`, `in 2 hours`; a time more than a month away as a date. A past time counts whole units; a future one the
 * nearest, since what was planned in five hours does not leave `in 4 hours` a second later.
 */
export function formatAgo(at: string | Date, now = Date.now()): string {
  const seconds = (new Date(at).getTime() - now) / 1_000;
  if (Math.abs(seconds) < 5) return 'just now';
  const step = STEPS.find(({ below }) => Math.abs(seconds) < below);
  if (!step) return formatMoment(at);
  const units = seconds / step.seconds;
  return RELATIVE.format(units < 0 ? Math.trunc(units) : Math.round(units), step.unit);
}

/** `86400` seconds → `1 day`; `5400` → `90 minutes`: in the largest unit of which it is a whole number. */
export function formatSpan(seconds: number): string {
  const step = [...STEPS].reverse().find((one) => seconds % one.seconds === 0) ?? STEPS[0];
  return formatNoun(seconds / step.seconds, step.unit);
}

/** `95` seconds → `1 min 35 s`; `3600` → `1 h`. */
export function formatDuration(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1_000)} ms`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return inTwo([Math.floor(whole / 60), 'min'], [whole % 60, 's']);
  const minutes = Math.round(whole / 60);
  return inTwo([Math.floor(minutes / 60), 'h'], [minutes % 60, 'min']);
}

function inTwo([count, unit]: [number, string], [rest, ofRest]: [number, string]): string {
  return rest === 0 ? `${count} ${unit}` : `${count} ${unit} ${rest} ${ofRest}`;
}

/** Returns a size for people: `1.4 MB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  const step = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  const amount = bytes / 1_000 ** step;
  return `${amount >= 100 || step === 0 ? Math.round(amount) : formatDecimal(amount, 1)} ${units[step] ?? 'B'}`;
}

const PLATFORMS: Partial<Record<string, string>> = { android: 'Android', ios: 'iOS', web: 'Web', huawei: 'Huawei' };

/** Returns the name of a device's type; a type of the application's own is its name. */
export function platformName(deviceType: string): string {
  return PLATFORMS[deviceType] ?? deviceType;
}
