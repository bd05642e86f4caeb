import { MINUTE_MS } from '@postrider/domain';
import { dateFormat, type DatePlace } from './formatters';

/** A moment as a clock and a calendar on the wall of some place show it. */
export interface WallMoment {
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
  /** Milliseconds since 1970, whatever the place. */
  time: number;
  timeZone: string;
  name(part: 'weekday' | 'month', length: 'long' | 'short'): string;
}

/**
 * What the wall shows at a moment. Gregorian and in plain digits, with the names of the locale.
 *
 * @throws Error when the budget is used up
 */
export function momentInZone(time: number, place: DatePlace): WallMoment {
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
