import { Inject, Injectable } from '@nestjs/common';
import { INTERRUPTED_REMOVALS, LOCK_IDS, type Sql } from '@postrider/persistence';
import { CONFIG, type Config } from '@postrider/platform';
import type { MaintenanceTask } from '../registry/maintenance-task';
import { RemoveApplication } from './remove-application.service';

/**
 * Finishes removals of applications whose gateway died, or that were interrupted. Runs every second (`SWEEP_INTERVAL_MS`).
 */
@Injectable()
export class ResumeRemovals implements MaintenanceTask {
  readonly name = 'resume-removals';
  readonly intervalMs: number;
  readonly lock = LOCK_IDS.resumeRemovals;

  constructor(
    private readonly removeApplication: RemoveApplication,
    @Inject(CONFIG) { sweepIntervalMs }: Pick<Config, 'sweepIntervalMs'>,
  ) {
    this.intervalMs = sweepIntervalMs;
  }

  due(): Sql {
    return INTERRUPTED_REMOVALS;
  }

  run(signal: AbortSignal): Promise<boolean> {
    return this.removeApplication.resume(signal);
  }
}
