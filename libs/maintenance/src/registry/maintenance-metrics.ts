import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { CLOCK, METRICS } from '@postrider/platform';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { MaintenanceTask } from './maintenance-task';

const SECONDS = [0.01, 0.1, 1, 5, 15, 60, 300, 1_800];

/**
 * The state of maintenance tasks for an operator: when each last succeeded in this process, how long it took, how often
 * it failed.
 */
@Injectable()
export class MaintenanceMetrics {
  readonly #lastSuccess: Gauge;
  readonly #interval: Gauge;
  readonly #durations: Histogram;
  readonly #errors: Counter;

  constructor(
    @Inject(METRICS) registry: Registry,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    const registers = [registry];
    this.#lastSuccess = new Gauge({
      name: 'postrider_maintenance_last_success_timestamp_seconds',
      help: 'When this process last ran the task without an error, or found that it has nothing to do; 0 if never. The latest of all processes counts',
      labelNames: ['task'],
      registers,
    });
    this.#interval = new Gauge({
      name: 'postrider_maintenance_interval_seconds',
      help: 'The time after the end of a run until the task is due again',
      labelNames: ['task'],
      registers,
    });
    this.#durations = new Histogram({
      name: 'postrider_maintenance_duration_seconds',
      help: 'The duration of runs of the task, including failed runs',
      labelNames: ['task'],
      buckets: SECONDS,
      registers,
    });
    this.#errors = new Counter({
      name: 'postrider_maintenance_errors_total',
      help: 'Runs of the task that failed',
      labelNames: ['task'],
      registers,
    });
  }

  /** Shows a task that has not run yet, so that one that never runs is seen. */
  registered({ name, intervalMs }: MaintenanceTask): void {
    const task = { task: name };
    this.#lastSuccess.set(task, 0);
    this.#interval.set(task, intervalMs / 1_000);
    this.#errors.inc(task, 0);
  }

  /** Shows that a run of the task has ended well. */
  succeeded(task: MaintenanceTask, durationMs: number): void {
    this.#durations.observe({ task: task.name }, durationMs / 1_000);
    this.idle(task);
  }

  /** Shows that the task has nothing to do. */
  idle({ name }: MaintenanceTask): void {
    this.#lastSuccess.set({ task: name }, this.clock.now().getTime() / 1_000);
  }

  /** Counts a run of the task that failed. */
  failed({ name }: MaintenanceTask, durationMs: number): void {
    this.#durations.observe({ task: name }, durationMs / 1_000);
    this.#errors.inc({ task: name });
  }
}
