/** The default and longest life of a message: 28 days, in seconds (decisions, `ttl`). */
export const MAX_TTL_SECONDS = 2_419_200;

/** User ids, tags, channels and field names: 1 to this many characters (decisions, Text). */
export const MAX_NAME_LENGTH = 255;
