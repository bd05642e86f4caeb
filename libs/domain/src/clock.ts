/** Where time comes from. Injected everywhere, so that tests can run a day in a second. */
export interface Clock {
  now(): Date;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => new Date() };
