import { Inject, Injectable } from '@nestjs/common';
import { OutageWarning } from '@postrider/persistence';
import { LOGGER, type Logger, Shutdown } from '@postrider/platform';

/**
 * Runs tasks at fixed intervals. A task never runs twice at a time. A task that fails runs again at the next interval.
 * Only the first of several failures in a row is logged, and an outage of PostgreSQL once for all tasks.
 */
@Injectable()
export class PeriodicTasks {
  readonly #tasks = new Map<string, () => Promise<void>>();
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #running = new Set<string>();
  /** Tasks to run again as soon as they end. */
  readonly #requested = new Set<string>();
  readonly #failing = new Set<string>();
  readonly #failed: OutageWarning;

  constructor(
    @Inject(LOGGER) logger: Logger,
    private readonly shutdown: Shutdown,
  ) {
    this.#failed = new OutageWarning(logger, 'turn.failed');
  }

  /** Runs a task every `intervalMs`, the first time after `intervalMs`. */
  every(intervalMs: number, name: string, task: () => Promise<void>): void {
    this.#tasks.set(name, task);
    const timer = setInterval(() => {
      if (!this.#running.has(name)) void this.#run(name, task);
    }, intervalMs);
    this.#timers.push(timer);
  }

  /** Runs a task now. If it is running, runs it once more afterwards. */
  runNow(name: string): void {
    const task = this.#tasks.get(name);
    if (task === undefined) return;
    if (this.#running.has(name)) this.#requested.add(name);
    else void this.#run(name, task);
  }

  /** Starts no task any more. */
  stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
  }

  async #run(name: string, task: () => Promise<void>): Promise<void> {
    this.#running.add(name);
    try {
      do {
        this.#requested.delete(name);
        if (this.shutdown.isShuttingDown) return;
        await task();
        this.#failing.delete(name);
      } while (this.#requested.has(name));
    } catch (error) {
      if (!this.#failing.has(name)) this.#failed.log(error, { name });
      this.#failing.add(name);
    } finally {
      this.#running.delete(name);
    }
  }
}
