import { Inject, Injectable } from '@nestjs/common';
import { LOCK_IDS, INTERRUPTED_ERASURES, type Sql } from '@postrider/persistence';
import { CONFIG, type Config } from '@postrider/platform';
import type { MaintenanceTask } from '../registry/maintenance-task';
import { EraseUser } from './erase-user.service';

/**
 * Finishes erasures of users whose gateway died, or that were interrupted, so that a user is erased completely,
 * whichever process dies. Runs every second (`SWEEP_INTERVAL_MS`).
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

  due(): Sql {
    return INTERRUPTED_ERASURES;
  }

  run(signal: AbortSignal): Promise<boolean> {
    return this.eraseUser.resume(signal);
  }
}
