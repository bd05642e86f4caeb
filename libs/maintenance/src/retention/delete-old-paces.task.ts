import { Inject, Injectable } from '@nestjs/common';
import { type Clock, DAY_MS, HOUR_MS } from '@postrider/domain';
import { deleteOld, LOCK_IDS, PacingRepository } from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import type { MaintenanceTask } from '../registry/maintenance-task';

/** What was sent at a limited rate and is over for a day: deletes the record of its pace. Every hour. */
@Injectable()
export class DeleteOldPaces implements MaintenanceTask {
  readonly name = 'delete-old-paces';
  readonly intervalMs = HOUR_MS;
  readonly lock = LOCK_IDS.deleteOldPaces;

  constructor(
    private readonly pacing: PacingRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async run(signal: AbortSignal): Promise<boolean> {
    const dayBefore = new Date(this.clock.now().getTime() - DAY_MS);
    await deleteOld((...of) => this.pacing.deleteOld(...of), dayBefore, signal);
    return false;
  }
}
