import { Inject, Injectable } from '@nestjs/common';
import { AdvisoryLocks } from '@postrider/persistence';
import { MaintenanceMetrics } from './maintenance-metrics';
import type { MaintenanceTask } from './maintenance-task';

/** Runs maintenance tasks under their locks, and shows in the metrics how runs end. */
@Injectable()
export class TaskRunner {
  constructor(
    @Inject(AdvisoryLocks) private readonly locks: Pick<AdvisoryLocks, 'tryWith' | 'close'>,
    private readonly metrics: MaintenanceMetrics,
  ) {}

  /** Shows a task that has not run yet, so that one that never runs is seen. */
  register(task: MaintenanceTask): void {
    this.metrics.registered(task);
  }

  /**
   * Runs the task once, unless another run of it is under way, here or in another process.
   *
   * @param signal fires when the process stops
   * @returns true if there is more to do at once; null if another run is under way
   * @throws the task's error, or the error that kept the lock from being taken; both are counted
   */
  async run(task: MaintenanceTask, signal: AbortSignal): Promise<boolean | null> {
    const startedAt = performance.now();
    try {
      if (await task.isIdle?.()) {
        this.metrics.idle(task);
        return false;
      }
      const hasMore = await this.locks.tryWith(task.lock, () => task.run(signal));
      if (hasMore !== null) this.metrics.succeeded(task, performance.now() - startedAt);
      return hasMore;
    } catch (error) {
      this.metrics.failed(task, performance.now() - startedAt);
      throw error;
    }
  }

  /** Shows that the task has nothing to do. */
  idle(task: MaintenanceTask): void {
    this.metrics.idle(task);
  }

  /** Ends the connection of the locks. */
  close(): Promise<void> {
    return this.locks.close();
  }
}
