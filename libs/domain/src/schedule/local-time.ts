import { LRUCache } from 'lru-cache';
import { DAY_MS } from '../time';

/**
 * The number of zones whose calendars are cached: there are some six hundred names, and one entry is a few kilobytes.
 */
const KEPT_ZONES = 1_000;
const calendars = /* @__PURE__ */ new LRUCache<string, { calendar: Intl.DateTimeFormat | null }>({ max: KEPT_ZONES });

/** True if a text is the name of a time zone (IANA), as this process's calendar data knows them. */
export function isTimeZone(text: string): boolean {
  return calendarOf(text) !== null;
}

/** The first of `names` that is a time zone; UTC if none is. */
export function firstTimeZone(...names: readonly (string | null | undefined)[]): string {
  return names.find((name) => typeof name === 'string' && isTimeZone(name)) ?? 'UTC';
}

/**
 * The local time in `zone` at a moment, as if it were UTC. All in milliseconds since 1970.
 *
 * @throws RangeError if `zone` is not a time zone (`isTimeZone`)
 */
export function wallTimeAt(moment: number, zone: string): number {
  const calendar = calendarOf(zone);
  if (calendar === null) throw new RangeError(`${zone} is not a time zone`);
  const part: Record<string, number> = {};
  for (const { type, value } of calendar.formatToParts(moment)) part[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second) + (((moment % 1_000) + 1_000) % 1_000);
}

/**
 * The moment at which the local time in `zone` is `wallTime`. If it occurs twice (clocks go back), the first one
 * counts, or the second with `which` `later`. If it is skipped (clocks go forward), the result is as much later as the
 * clock jumps.
 *
 * @param wallTime as if it were UTC, milliseconds since 1970
 */
export function momentOf(wallTime: number, zone: string, which: 'earlier' | 'later' = 'earlier'): number {
  const offsets = [wallTime - DAY_MS, wallTime + DAY_MS].map((around) => wallTimeAt(around, zone) - around);
  const [before = 0, after = 0] = offsets;
  const fitting = [wallTime - before, wallTime - after].filter((moment) => wallTimeAt(moment, zone) === wallTime);
  if (fitting.length === 0) return wallTime - before;
  return which === 'earlier' ? Math.min(...fitting) : Math.max(...fitting);
}

/**
 * The moment from which on the local time in `zone` is `wallTime` or later: where clocks skip it, the moment at which they
 * go forward. If it occurs twice, `which` counts as in `momentOf`.
 *
 * @param wallTime as if it were UTC, milliseconds since 1970
 */
export function momentFrom(wallTime: number, zone: string, which: 'earlier' | 'later' = 'earlier'): number {
  const moment = momentOf(wallTime, zone, which);
  let [before, after] = [moment - (wallTimeAt(moment, zone) - wallTime), moment];
  while (after - before > 1) {
    const between = Math.floor((before + after) / 2);
    if (wallTimeAt(between, zone) >= wallTime) after = between;
    else before = between;
  }
  return after;
}

/**
 * The first moment from `earliest` on at which it is `wallTime` in `zone`: on its own day or, if it is over there, on
 * the next day on which it is still to come.
 */
export function nextMomentOf(wallTime: number, zone: string, earliest: number): number {
  for (let day = 0; ; day++) {
    const moment = momentOf(wallTime + day * DAY_MS, zone);
    if (moment >= earliest) return moment;
    // If it is far in the past, skip whole days up to shortly before.
    if (earliest - moment > 2 * DAY_MS) day += Math.floor((earliest - moment) / DAY_MS) - 2;
  }
}

function calendarOf(zone: string): Intl.DateTimeFormat | null {
  const known = calendars.get(zone);
  if (known !== undefined) return known.calendar;
  const calendar = makeCalendar(zone);
  calendars.set(zone, { calendar });
  return calendar;
}

function makeCalendar(timeZone: string): Intl.DateTimeFormat | null {
  // An offset is not a place, because it has no summer time. Other characters do not occur in names.
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(timeZone)) return null;
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return null;
  }
}
