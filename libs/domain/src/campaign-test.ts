/** The percentage of users of a campaign that may be held out, at most. */
export const MAX_HOLDOUT_PERCENT = 50;
