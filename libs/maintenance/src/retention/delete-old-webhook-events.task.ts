import { Inject, Injectable } from '@nestjs/common';
import { type Clock, HOUR_MS } from '@postrider/domain';
import { deleteOld, LOCK_IDS, WebhookEventsRepository } from '@postrider/persistence';
import { CLOCK, CONFIG, type Config, LOGGER, type Logger } from '@postrider/platform';
import type { MaintenanceTask } from '../registry/maintenance-task';
import { retainedSince } from './retained-since';

/** Webhook events that are past `RETENTION_DAYS`: deletes them. Every hour. */
@Injectable()
export class DeleteOldWebhookEvents implements MaintenanceTask {
  readonly name = 'delete-old-webhook-events';
  readonly intervalMs = HOUR_MS;
  readonly lock = LOCK_IDS.deleteOldWebhookEvents;

  constructor(
    private readonly webhookEvents: WebhookEventsRepository,
    @Inject(CONFIG) private readonly config: Pick<Config, 'retentionDays'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async run(signal: AbortSignal): Promise<boolean> {
    const before = retainedSince(this.clock.now(), this.config);
    const webhookEvents = await deleteOld((...of) => this.webhookEvents.deleteOld(...of), before, signal);
    if (webhookEvents > 0) this.logger.info({ webhookEvents }, 'ledger.kept');
    return false;
  }
}
