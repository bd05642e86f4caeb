import { DAY_MS } from '@postrider/domain';

/** Tomorrow at midnight, UTC. */
export const MIDNIGHT = (Math.floor(Date.now() / DAY_MS) + 1) * DAY_MS;

/** Returns when a clock in UTC shows `clock` (`hh:mm` or `hh:mm:ss`) tomorrow, or that many days later. */
export function at(clock: string, day = 0): Date {
  const [hours = 0, minutes = 0, seconds = 0] = clock.split(':').map(Number);
  return new Date(MIDNIGHT + day * DAY_MS + (hours * 3_600 + minutes * 60 + seconds) * 1_000);
}

/** The same moment, as `VirtualSystem` says it. */
export function said(clock: string, day = 0): string {
  return at(clock, day).toISOString().slice(8, -5);
}
