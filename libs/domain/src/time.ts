/** The source of time. It is injected everywhere, so that tests can run a day in a second. */
export interface Clock {
  now(): Date;
  /**
   * Milliseconds since some beginning. They advance evenly, also when the time of day is set. Use them for the age of
   * things that this process made.
   */
  steadyMs(): number;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => new Date(), steadyMs: () => performance.now() };

/** Durations in milliseconds. */
export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The moment at which the UTC day of `moment` began. */
export function midnightOf(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / DAY_MS) * DAY_MS);
}

/** How many days a trend shows before today. */
export const TREND_DAYS = 30;

/** The beginning of the first day (UTC) of a trend that ends today. */
export function trendBegin(now: Date): Date {
  return new Date(midnightOf(now).getTime() - TREND_DAYS * DAY_MS);
}

/** A day in seconds. */
export const DAY_SECONDS = DAY_MS / SECOND_MS;

/** A moment to the microsecond, in ISO 8601. @param micros since 1970 */
export function timestampOf(micros: number): string {
  const milliseconds = Math.floor(micros / 1_000);
  const rest = String(micros - milliseconds * 1_000).padStart(3, '0');
  return `${new Date(milliseconds).toISOString().slice(0, -1)}${rest}Z`;
}
