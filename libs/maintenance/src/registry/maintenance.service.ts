import { setMaxListeners } from 'node:events';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { AdvisoryLocks, DueWorkRepository, OutageWarning } from '@postrider/persistence';
import { LOGGER, type Logger, repeat, Shutdown } from '@postrider/platform';
import { DueTasks, type LookedForTask } from './due-tasks';
import { MaintenanceMetrics } from './maintenance-metrics';
import { MAINTENANCE_TASKS, type MaintenanceTask } from './maintenance-task';

/**
 * Runs every task at its interval, from the start of the process to its end. Each has a loop and a lock of its own: one that
 * fails or hangs holds up no other, and of several workers one runs it. A run that fails is logged and counted, and is tried
 * again after the interval. Tasks that say what they look for are looked for together, and run only where there is work
 * (`DueTasks`). An outage of PostgreSQL fails every run, and is one line for all of them.
 *
 * A process that stops aborts the signal of the runs and waits for them; one that fails to start does not wait.
 */
@Injectable()
export class Maintenance implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #destroyed = new AbortController();
  readonly #signal: AbortSignal;
  readonly #outage: OutageWarning;
  #running: Promise<unknown> | undefined;

  /** @throws Error when two tasks have one name or one lock */
  constructor(
    @Inject(MAINTENANCE_TASKS) private readonly tasks: readonly MaintenanceTask[],
    @Inject(DueWorkRepository) private readonly dueWork: Pick<DueWorkRepository, 'areDue'>,
    @Inject(AdvisoryLocks) private readonly locks: Pick<AdvisoryLocks, 'tryWith' | 'close'>,
    private readonly metrics: MaintenanceMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly shutdown: Shutdown,
  ) {
    refuseDuplicates(tasks);
    this.#outage = new OutageWarning(logger, 'turn.failed');
    this.#signal = AbortSignal.any([shutdown.signal, this.#destroyed.signal]);
    // Each loop listens between two runs, and a run may listen too.
    setMaxListeners(2 * tasks.length + 1, this.#signal);
    for (const task of tasks) metrics.registered(task);
  }

  onApplicationBootstrap(): void {
    const groups = this.#tasksByInterval();
    const loops = this.tasks.map((task) => {
      const group = groups.find((one) => one.has(task));
      return this.#repeat(task, () => this.run(task), group && ((): Promise<void> => group.untilDue(task)));
    });
    const looks = groups.map((group) =>
      this.#repeat({ name: 'look-for-work', intervalMs: group.intervalMs }, () => group.look()),
    );
    this.#running = Promise.all([...loops, ...looks]);
  }

  async onModuleDestroy(): Promise<void> {
    this.#destroyed.abort();
    if (this.shutdown.isShuttingDown) await this.#running;
    await this.locks.close();
  }

  /**
   * Runs the task once, unless another run of it is under way, here or in another process.
   * @returns true if there is more to do at once; null if another run is under way
   * @throws the task's error, or the error that kept the lock from being taken; both are counted
   */
  async run(task: MaintenanceTask): Promise<boolean | null> {
    const startedAt = performance.now();
    try {
      if (await task.isIdle?.()) {
        this.metrics.idle(task);
        return false;
      }
      const hasMore = await this.locks.tryWith(task.lock, () => task.run(this.#signal));
      if (hasMore !== null) this.metrics.succeeded(task, performance.now() - startedAt);
      return hasMore;
    } catch (error) {
      this.metrics.failed(task, performance.now() - startedAt);
      throw error;
    }
  }

  /** Returns the tasks that say what they look for: those of one interval are looked for together. */
  #tasksByInterval(): DueTasks[] {
    const tasks = this.tasks.filter(isLookedFor);
    const onIdle = (task: MaintenanceTask): void => this.metrics.idle(task);
    const terms = { dueWork: this.dueWork, signal: this.#signal, onIdle };
    return [...new Set(tasks.map(({ intervalMs }) => intervalMs))].map((interval) => {
      const ofInterval = tasks.filter(({ intervalMs }) => intervalMs === interval);
      return new DueTasks(interval, ofInterval, terms);
    });
  }

  #repeat(
    { name, intervalMs }: Pick<MaintenanceTask, 'name' | 'intervalMs'>,
    turn: () => Promise<boolean | null>,
    untilDue?: () => Promise<void>,
  ): Promise<void> {
    const terms = { signal: this.#signal, logger: this.logger, outage: this.#outage };
    return repeat({ name, intervalMs, turn, untilDue, ...terms });
  }
}

/** A task that says what it looks for. */
function isLookedFor(task: MaintenanceTask): task is LookedForTask {
  return task.due !== undefined;
}

function refuseDuplicates(tasks: readonly MaintenanceTask[]): void {
  for (const property of ['name', 'lock'] as const) {
    const values = tasks.map((task) => task[property]);
    const duplicate = values.find((value, index) => values.indexOf(value) !== index);
    if (duplicate !== undefined) throw new Error(`Two maintenance tasks have the ${property} ${duplicate}`);
  }
}
