/** After so many failures in a row a webhook is held, and one event at a time finds out whether it works again. */
export const HOLD_AFTER_FAILURES = 5;
