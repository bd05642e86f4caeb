import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { LOCK_IDS, WebhooksRepository, dueWebhooks, type Sql } from '@postrider/persistence';
import { CLOCK, CONFIG, type Config } from '@postrider/platform';
import { Enqueuer } from '@postrider/queues';
import { ROWS_AT_ONCE, type MaintenanceTask } from '../registry/maintenance-task';

/**
 * Enqueues webhooks that have events to send, new ones or ones that are tried again. Little else enqueues them: once a
 * second (`SWEEP_INTERVAL_MS`) is soon enough. A webhook whose job still waits or runs gets no second one.
 */
@Injectable()
export class RecoverWebhooks implements MaintenanceTask {
  readonly name = 'recover-webhooks';
  readonly intervalMs: number;
  readonly lock = LOCK_IDS.recoverWebhooks;

  constructor(
    private readonly webhooks: WebhooksRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly enqueuer: Enqueuer,
    @Inject(CONFIG) { sweepIntervalMs }: Pick<Config, 'sweepIntervalMs'>,
  ) {
    this.intervalMs = sweepIntervalMs;
  }

  due(): Sql {
    return dueWebhooks(this.clock.now());
  }

  /** @returns false: webhooks that are found again at once have a job already */
  async run(): Promise<boolean> {
    await this.enqueuer.enqueueWebhooks(await this.webhooks.findDue(this.clock.now(), ROWS_AT_ONCE));
    return false;
  }
}
