import { Inject, Injectable } from '@nestjs/common';
import { type Clock, DAY_MS, HOUR_MS } from '@postrider/domain';
import { deleteOld, LOCK_IDS, IdempotencyRepository } from '@postrider/persistence';
import { CLOCK, LOGGER, type Logger } from '@postrider/platform';
import type { MaintenanceTask } from '../registry/maintenance-task';

/** Idempotency keys that were taken more than a day ago, with the answers kept under them: deletes them. Every hour. */
@Injectable()
export class DeleteOldIdempotencyKeys implements MaintenanceTask {
  readonly name = 'delete-old-idempotency-keys';
  readonly intervalMs = HOUR_MS;
  readonly lock = LOCK_IDS.deleteOldIdempotencyKeys;

  constructor(
    private readonly idempotency: IdempotencyRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async run(signal: AbortSignal): Promise<boolean> {
    const dayBefore = new Date(this.clock.now().getTime() - DAY_MS);
    const idempotencyKeys = await deleteOld((...of) => this.idempotency.deleteOld(...of), dayBefore, signal);
    if (idempotencyKeys > 0) this.logger.info({ idempotencyKeys }, 'ledger.kept');
    return false;
  }
}
