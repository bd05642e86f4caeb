import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { WebhooksRepository } from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import { Enqueuer } from '@postrider/queues';
import { type Sweep, SWEEP_LIMIT } from './recovery-limits';

/**
 * Webhooks with events to send, new ones and those to be tried again: wakes up a delivery worker for them. Little else does:
 * a turn a second is soon enough. A webhook whose job still waits or runs gets no second one.
 */
@Injectable()
export class WebhookSweep implements Sweep {
  constructor(
    private readonly webhooks: WebhooksRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly enqueuer: Enqueuer,
  ) {}

  /** @returns false: what is found again at once has a job already */
  async sweep(): Promise<boolean> {
    await this.enqueuer.enqueueWebhooks(await this.webhooks.findDue(this.clock.now(), SWEEP_LIMIT));
    return false;
  }
}
