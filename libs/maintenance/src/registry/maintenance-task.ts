/** Nest injection token of all tasks, in the order in which they are listed in `MaintenanceModule`. */
export const MAINTENANCE_TASKS = Symbol('MaintenanceTasks');

/**
 * Work that a worker repeats for the whole installation. To add a task, say in its docstring what it mends or removes
 * and how often, take a new number in `LOCK_IDS` (libs/persistence), and list the task in `MaintenanceModule`.
 */
export interface MaintenanceTask {
  /** The name in the log and in the metrics: kebab-case, verb first. */
  readonly name: string;
  /** The time between the end of a run and the next one, when there is no more to do. */
  readonly intervalMs: number;
  /** The advisory lock that a run holds: of several workers one runs the task. */
  readonly lock: number;
  /**
   * Does a bounded part of the work that is due. It must be safe to repeat, and to run in two processes at once: the
   * lock ends with its connection, which may break during the run.
   * @param signal fires when the worker stops: a long run ends early then
   * @returns true if there is more to do at once
   */
  run(signal: AbortSignal): Promise<boolean>;
}

/** The number of rows that one statement of a task takes. */
export const ROWS_AT_ONCE = 1_000;

/** After this time a task looks again at rows that it has handled. */
export const LOOK_AGAIN_MS = 30_000;
