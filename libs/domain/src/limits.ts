/** The default and longest life of a message: 28 days, in seconds. */
export const MAX_TTL_SECONDS = 2_419_200;

/** User ids, tags, channels and field names: 1 to this many characters. */
export const MAX_NAME_LENGTH = 255;

/** Most user ids in one message, unless an installation sets `MAX_USERS`. */
export const USUAL_MAX_USERS = 100_000;

/** Most codes in one file of promo codes, unless an installation sets `MAX_PROMO_CODES`. */
export const USUAL_MAX_PROMO_CODES = 20_000_000;
