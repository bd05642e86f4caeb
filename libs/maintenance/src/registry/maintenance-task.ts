import type { Sql } from '@postrider/persistence';

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
   * `FROM` and `WHERE` of the rows that a run looks for, in the same order of parts each time. All tasks that say this are looked for
   * in one statement at each interval, and a run takes place only where there is a row: at the start of the process, and when the run
   * before it failed, it takes place without a look. Left out: it takes place at each interval.
   */
  due?(): Sql;
  /**
   * Returns true if a run would find nothing to do; then its lock is not taken. For work that PostgreSQL does not know. Left out: a
   * run takes place at each interval.
   */
  isIdle?(): Promise<boolean>;
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
