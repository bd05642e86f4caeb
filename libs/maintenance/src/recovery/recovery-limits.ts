/** One kind of forgotten work. */
export interface Sweep {
  /**
   * Sees to a bounded number of them.
   *
   * @returns whether there are more
   */
  sweep(): Promise<boolean>;
}

/** How many rows one statement of a sweep takes. */
export const SWEEP_LIMIT = 1_000;

/** After this time the sweeper looks again at what it has seen to. */
export const LOOK_AGAIN_MS = 30_000;
