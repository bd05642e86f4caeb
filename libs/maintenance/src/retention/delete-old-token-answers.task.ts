import { Inject, Injectable } from '@nestjs/common';
import { type Clock, DAY_MS, HOUR_MS } from '@postrider/domain';
import { deleteOld, LOCK_IDS, DeadTokensRepository } from '@postrider/persistence';
import { CLOCK, CONFIG, type Config, LOGGER, type Logger } from '@postrider/platform';
import type { MaintenanceTask } from '../registry/maintenance-task';
import { retainedSince } from './retained-since';

const ANSWERS_KEPT_MS = 30 * DAY_MS;

/**
 * Tokens in a quarantine that is past `RETENTION_DAYS`, and what vendors answered about tokens more than 30 days ago: deletes them.
 * Every hour.
 */
@Injectable()
export class DeleteOldTokenAnswers implements MaintenanceTask {
  readonly name = 'delete-old-token-answers';
  readonly intervalMs = HOUR_MS;
  readonly lock = LOCK_IDS.deleteOldTokenAnswers;

  constructor(
    private readonly deadTokens: DeadTokensRepository,
    @Inject(CONFIG) private readonly config: Pick<Config, 'retentionDays'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async run(signal: AbortSignal): Promise<boolean> {
    const now = this.clock.now();
    const quarantinedBefore = retainedSince(now, this.config);
    const quarantined = await deleteOld(
      (...of) => this.deadTokens.deleteOldQuarantines(...of),
      quarantinedBefore,
      signal,
    );
    const answersBefore = new Date(now.getTime() - ANSWERS_KEPT_MS);
    await deleteOld((...of) => this.deadTokens.deleteOldAnswers(...of), answersBefore, signal);
    if (quarantined > 0) this.logger.info({ quarantined }, 'ledger.kept');
    return false;
  }
}
