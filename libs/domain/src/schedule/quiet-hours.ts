import { DAY_MS, MINUTE_MS } from '../time';
import { type Lane, lastCallAt } from '../message';
import { firstTimeZone, momentOf, wallTimeAt } from './local-time';

const CLOCK_TIME = /^([01]\d|2[0-3]):([0-5]\d)$/;

/** The hours in which an application leaves people alone. */
export interface QuietHours {
  /** `hh:mm`, the first minute of quiet. */
  start: string;
  /** `hh:mm`, the first minute after it; before `start` when midnight lies between. */
  end: string;
  /** Whose clock: each device's own, or one time zone's for all. */
  timeZone: 'device' | (string & {});
  /** Whether named users are left alone too. */
  applies: 'campaigns' | 'all';
}

/** The minute of the day that `hh:mm` names, or null. */
export function minuteOfDay(text: string): number | null {
  const [, hours, minutes] = CLOCK_TIME.exec(text) ?? [];
  return hours === undefined || minutes === undefined ? null : Number(hours) * 60 + Number(minutes);
}

/** True if quiet hours are kept by messages of a lane. */
export function keepsQuietHours(hours: Pick<QuietHours, 'applies'> | null, lane: Lane): boolean {
  return hours !== null && (lane === 'campaign' || hours.applies === 'all');
}

/**
 * When the quiet hours end that hold at a moment; null when none do.
 *
 * @param deviceZone the zone whose clock counts when the hours are each device's own
 */
export function quietUntil(hours: QuietHours, deviceZone: string, moment: number): number | null {
  const zone = hours.timeZone === 'device' ? deviceZone : hours.timeZone;
  const wallTime = wallTimeAt(moment, zone);
  const midnight = Math.floor(wallTime / DAY_MS) * DAY_MS;
  const endOfDay = endIn(hours, wallTime - midnight);
  if (endOfDay === null) return null;
  // In the night in which clocks go back, an end may come twice, and the first one be over.
  const ends = [momentOf(midnight + endOfDay, zone), momentOf(midnight + endOfDay, zone, 'later')];
  return ends.find((one) => one > moment) ?? null;
}

/** When quiet hours end that hold at a time of day, from the same midnight on; null when none do. All in milliseconds. */
function endIn({ start, end }: QuietHours, time: number): number | null {
  const from = (minuteOfDay(start) ?? 0) * MINUTE_MS;
  const to = (minuteOfDay(end) ?? 0) * MINUTE_MS;
  if (from < to) return time >= from && time < to ? to : null;
  if (time < to) return to;
  return time >= from ? to + DAY_MS : null;
}

/** Devices in this zone (null: those that do not say) wait until then; null: the message is over by then. */
export interface QuietZone {
  zone: string | null;
  until: Date | null;
}

/** What quiet hours have to know of a message that may be sent to devices now. */
export interface QuietTerms {
  quietHours: QuietHours | null;
  lane: Lane;
  /** From when to when the message may be sent. */
  startsAt: Date;
  expiresAt: Date;
  defaultTimeZone: string | null;
}

/** Those of the zones (null: devices that do not say) whose quiet hours hold at a moment, and when they end. */
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
