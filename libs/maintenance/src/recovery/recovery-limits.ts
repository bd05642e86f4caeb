/** How many rows one statement of a task takes. */
export const ROWS_AT_ONCE = 1_000;

/** After this time a task looks again at what it has seen to. */
export const LOOK_AGAIN_MS = 30_000;
