import { Inject, Injectable } from '@nestjs/common';
import { LOCK_IDS } from '@postrider/persistence';
import { CONFIG, type Config } from '@postrider/platform';
import type { MaintenanceTask } from '../registry/maintenance-task';
import { EraseUser } from './erase-user.service';

/**
 * Erasures of users whose gateway died, or that were broken off: ends them, so that a user is erased whole, whoever dies over it.
 * Every second (`SWEEP_INTERVAL_MS`).
 */
@Injectable()
export class ResumeErasures implements MaintenanceTask {
  readonly name = 'resume-erasures';
  readonly intervalMs: number;
  readonly lock = LOCK_IDS.resumeErasures;

  constructor(
    private readonly eraseUser: EraseUser,
    @Inject(CONFIG) { sweepIntervalMs }: Pick<Config, 'sweepIntervalMs'>,
  ) {
    this.intervalMs = sweepIntervalMs;
  }

  run(signal: AbortSignal): Promise<boolean> {
    return this.eraseUser.resume(signal);
  }
}
