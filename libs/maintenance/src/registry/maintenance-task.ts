/** Nest injection token of all tasks, in the order in which they are listed in `MaintenanceModule`. */
export const MAINTENANCE_TASKS = Symbol('MaintenanceTasks');

/**
 * Work that a worker does again and again for the whole installation. Whoever adds one says in its docstring what it mends or
 * removes and how often, takes a new number in `LOCK_IDS` (libs/persistence), and lists it in `MaintenanceModule`.
 */
export interface MaintenanceTask {
  /** In the log and in the metrics: kebab-case, verb first. */
  readonly name: string;
  /** Between the end of a run and the next, when there is no more to do. */
  readonly intervalMs: number;
  /** The advisory lock that a run holds: of several workers one runs the task. */
  readonly lock: number;
  /**
   * Does a bounded part of what is due. Safe to repeat, and to run from two processes at once: the lock ends with its
   * connection, which may break while the run goes on.
   *
   * @param signal fires when the worker stops: a long run ends early then
   * @returns true if there is more to do at once
   */
  run(signal: AbortSignal): Promise<boolean>;
}

/** How many rows one statement of a task takes. */
export const ROWS_AT_ONCE = 1_000;

/** After this time a task looks again at what it has seen to. */
export const LOOK_AGAIN_MS = 30_000;
