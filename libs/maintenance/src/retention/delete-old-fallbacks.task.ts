import { Inject, Injectable } from '@nestjs/common';
import { type Clock, HOUR_MS } from '@postrider/domain';
import { deleteOld, LOCK_IDS, FallbacksRepository } from '@postrider/persistence';
import { CLOCK, CONFIG, type Config, LOGGER, type Logger } from '@postrider/platform';
import type { MaintenanceTask } from '../registry/maintenance-task';
import { retainedSince } from './retained-since';

/** Fallback SMS of messages that are past `RETENTION_DAYS`: deletes them. Every hour. */
@Injectable()
export class DeleteOldFallbacks implements MaintenanceTask {
  readonly name = 'delete-old-fallbacks';
  readonly intervalMs = HOUR_MS;
  readonly lock = LOCK_IDS.deleteOldFallbacks;

  constructor(
    private readonly fallbacks: FallbacksRepository,
    @Inject(CONFIG) private readonly config: Pick<Config, 'retentionDays'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async run(signal: AbortSignal): Promise<boolean> {
    const before = retainedSince(this.clock.now(), this.config);
    const fallbacks = await deleteOld((...of) => this.fallbacks.deleteOld(...of), before, signal);
    if (fallbacks > 0) this.logger.info({ fallbacks }, 'ledger.kept');
    return false;
  }
}
