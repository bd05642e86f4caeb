import { DAY_MS, MINUTE_MS } from '../time';
import { type Lane, lastCallAt } from '../message';
import { firstTimeZone, momentFrom, wallTimeAt } from './local-time';

const CLOCK_TIME = /^([01]\d|2[0-3]):([0-5]\d)$/;

/** The hours in which an application sends nothing to people. */
export interface QuietHours {
  /** `hh:mm`, the first minute of quiet. */
  start: string;
  /** `hh:mm`, the first minute after it; smaller than `start` if midnight is between them. */
  end: string;
  /** The time zone: each device's own, or one for all. */
  timeZone: 'device' | (string & {});
  /** `all`: messages to named users wait too. */
  applies: 'campaigns' | 'all';
}

/** The minute of the day of `hh:mm`, or null. */
export function minuteOfDay(text: string): number | null {
  const [, hours, minutes] = CLOCK_TIME.exec(text) ?? [];
  return hours === undefined || minutes === undefined ? null : Number(hours) * 60 + Number(minutes);
}

/** True if messages of a lane respect quiet hours. */
export function keepsQuietHours(hours: Pick<QuietHours, 'applies'> | null, lane: Lane): boolean {
  return hours !== null && (lane === 'campaign' || hours.applies === 'all');
}

/**
 * When the quiet hours at a moment end. Null if it is not in quiet hours.
 *
 * @param deviceZone the zone to use if each device has its own
 */
export function quietUntil(hours: QuietHours, deviceZone: string, moment: number): number | null {
  const zone = hours.timeZone === 'device' ? deviceZone : hours.timeZone;
  const wallTime = wallTimeAt(moment, zone);
  const midnight = Math.floor(wallTime / DAY_MS) * DAY_MS;
  const endOfDay = endIn(hours, wallTime - midnight);
  if (endOfDay === null) return null;
  // In the night in which clocks go back, the end may occur twice, and the first one may be over.
  const ends = [momentFrom(midnight + endOfDay, zone), momentFrom(midnight + endOfDay, zone, 'later')];
  const over = ends.find((one) => one > moment);
  if (over === undefined) return null;
  // In the night in which clocks go forward, the time between two quiet hours may be skipped as a whole.
  return quietUntil(hours, zone, over) ?? over;
}

/**
 * When the quiet hours at a time of day end, from the same midnight on. Null if it is not in quiet hours. All in
 * milliseconds.
 */
function endIn({ start, end }: QuietHours, time: number): number | null {
  const from = (minuteOfDay(start) ?? 0) * MINUTE_MS;
  const to = (minuteOfDay(end) ?? 0) * MINUTE_MS;
  if (from < to) return time >= from && time < to ? to : null;
  if (time < to) return to;
  return time >= from ? to + DAY_MS : null;
}

/** Devices in this zone (null: devices that report none) wait until then. Null: the message is over by then. */
export interface QuietZone {
  zone: string | null;
  until: Date | null;
}

/** The quiet hours, and the parts of a message that they need. */
export interface QuietTerms {
  quietHours: QuietHours | null;
  lane: Lane;
  /** The span of time in which the message may be sent. */
  startsAt: Date;
  expiresAt: Date;
  defaultTimeZone: string | null;
}

/** Finds the zones (null: devices that report none) that are in quiet hours at a moment, and when these end. */
export function quietZonesAt(now: Date, terms: QuietTerms, zones: readonly (string | null)[]): QuietZone[] {
  const { quietHours, lane, startsAt, expiresAt, defaultTimeZone } = terms;
  if (quietHours === null || !keepsQuietHours(quietHours, lane)) return [];
  const lastCall = lastCallAt(startsAt.getTime(), expiresAt.getTime());
  return zones.flatMap((zone): QuietZone[] => {
    const until = quietUntil(quietHours, firstTimeZone(zone, defaultTimeZone), now.getTime());
    if (until === null) return [];
    return [{ zone, until: until < lastCall ? new Date(until) : null }];
  });
}
