import { setMaxListeners } from 'node:events';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DueWorkRepository, OutageWarning } from '@postrider/persistence';
import { HealthRegistry, LOGGER, type Logger, repeat, Shutdown } from '@postrider/platform';
import { DueTasks, type LookedForTask } from './due-tasks';
import { MAINTENANCE_TASKS, type MaintenanceTask } from './maintenance-task';
import { TaskRunner } from './task-runner.service';

/**
 * Runs every task at its interval, from the moment at which the process can work to its end: on a schema that is older than it
 * needs, tasks would fail that a process of the version before can do. Each has a loop and a lock of its own: one that
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
    private readonly runner: TaskRunner,
    @Inject(HealthRegistry) private readonly health: Pick<HealthRegistry, 'untilAbleToWork'>,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly shutdown: Shutdown,
  ) {
    refuseDuplicates(tasks);
    this.#outage = new OutageWarning(logger, 'turn.failed');
    this.#signal = AbortSignal.any([shutdown.signal, this.#destroyed.signal]);
    // Each loop listens between two runs, and a run may listen too.
    setMaxListeners(2 * tasks.length + 1, this.#signal);
    for (const task of tasks) runner.register(task);
  }

  onApplicationBootstrap(): void {
    this.#running = this.health.untilAbleToWork().then((isAble) => (isAble ? this.#repeatAll() : undefined));
  }

  async onModuleDestroy(): Promise<void> {
    this.#destroyed.abort();
    if (this.shutdown.isShuttingDown) await this.#running;
    await this.runner.close();
  }

  /** Resolves when the process stops. */
  #repeatAll(): Promise<unknown> {
    this.logger.info({ tasks: this.tasks.length }, 'maintenance.begun');
    const groups = this.#tasksByInterval();
    const loops = this.tasks.map((task) => {
      const group = groups.find((one) => one.has(task));
      const run = (): Promise<boolean | null> => this.runner.run(task, this.#signal);
      return this.#repeat(task, run, group && ((): Promise<void> => group.untilDue(task)));
    });
    const looks = groups.map((group) =>
      this.#repeat({ name: 'look-for-work', intervalMs: group.intervalMs }, () => group.look()),
    );
    return Promise.all([...loops, ...looks]);
  }

  /** Returns the tasks that say what they look for: those of one interval are looked for together. */
  #tasksByInterval(): DueTasks[] {
    const tasks = this.tasks.filter(isLookedFor);
    const onIdle = (task: MaintenanceTask): void => this.runner.idle(task);
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
