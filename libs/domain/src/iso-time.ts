/**
 * `YYYY-MM-DD[Thh:mm[:ss[.f]][Z|±hh:mm]]` and nothing else, by its parts. PostgreSQL allows no offset of sixteen hours
 * or more, and no place on Earth has one.
 */
export const ISO_8601 =
  /^(\d{4})-(\d\d)-(\d\d)(?:T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,9}))?)?(?:Z|([+-])(0\d|1[0-5]):([0-5]\d))?)?$/;

const MICROS_PER_MINUTE = 60_000_000n;

/**
 * The moment of an ISO 8601 text, in microseconds since 1970-01-01T00:00Z. Without an offset it is in UTC; a date
 * without a time is its midnight. Up to nine digits of a second are read and rounded to microseconds, which the
 * database stores.
 *
 * @returns null if the text has another form, or is not a moment (`2023-02-29`, `24:00`, the year 0000)
 */
export function isoMoment(text: string): bigint | null {
  const match = ISO_8601.exec(text);
  if (!match) return null;
  const [, year, month, day, hours, minutes, seconds, fraction, sign, offsetHours, offsetMinutes] = match;
  if (!isDate(count(year), count(month), count(day))) return null;
  const date = new Date(0);
  date.setUTCFullYear(count(year), count(month) - 1, count(day));
  date.setUTCHours(count(hours), count(minutes), count(seconds));
  const local = BigInt(date.getTime()) * 1000n + microsOf(fraction);
  const offset = BigInt(count(offsetHours) * 60 + count(offsetMinutes)) * MICROS_PER_MINUTE;
  return sign === '-' ? local + offset : local - offset;
}

/** The number in some digits. A missing part is zero. */
function count(digits: string | undefined): number {
  return Number(digits ?? 0);
}

function isDate(year: number, month: number, day: number): boolean {
  if (year === 0 || day < 1) return false;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return day <= (days[month - 1] ?? 0);
}

/** Rounds as PostgreSQL does: in floating point, to the nearest, halves to the even one. */
function microsOf(fraction: string | undefined): bigint {
  const micros = Number(`0.${fraction ?? 0}`) * 1e6;
  const whole = Math.floor(micros);
  const rest = micros - whole;
  return BigInt(rest > 0.5 || (rest === 0.5 && whole % 2 === 1) ? whole + 1 : whole);
}
