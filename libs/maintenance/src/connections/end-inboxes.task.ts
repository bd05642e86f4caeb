import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { LOCK_IDS, MessagesRepository } from '@postrider/persistence';
import { CLOCK, CONFIG, type Config } from '@postrider/platform';
import type { MaintenanceTask } from '../registry/maintenance-task';
import { ROWS_AT_ONCE } from '../recovery/recovery-limits';

/**
 * Messages that expired or were cancelled while they wait in inboxes: gives every device that has not got them its final state.
 * Every second (`SWEEP_INTERVAL_MS`).
 */
@Injectable()
export class EndInboxes implements MaintenanceTask {
  readonly name = 'end-inboxes';
  readonly intervalMs: number;
  readonly lock = LOCK_IDS.endInboxes;

  constructor(
    private readonly messages: MessagesRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) { sweepIntervalMs }: Pick<Config, 'sweepIntervalMs'>,
  ) {
    this.intervalMs = sweepIntervalMs;
  }

  async run(): Promise<boolean> {
    const now = this.clock.now();
    let budget = ROWS_AT_ONCE;
    for (const inbox of await this.messages.findEndingInboxes(now, ROWS_AT_ONCE)) {
      if (budget <= 0) return true;
      budget -= 1 + (await this.messages.endInbox(inbox, now, budget));
    }
    return budget <= 0;
  }
}
