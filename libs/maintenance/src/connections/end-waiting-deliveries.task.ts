import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { LOCK_IDS, MessagesRepository, endedWaits, type Sql } from '@postrider/persistence';
import { CLOCK, CONFIG, type Config } from '@postrider/platform';
import { ROWS_AT_ONCE, type MaintenanceTask } from '../registry/maintenance-task';

/**
 * Ends deliveries that wait for a connection after their message expired or was cancelled: each device that has not got the
 * message gets its final state. Runs every second (`SWEEP_INTERVAL_MS`).
 */
@Injectable()
export class EndWaitingDeliveries implements MaintenanceTask {
  readonly name = 'end-waiting-deliveries';
  readonly intervalMs: number;
  readonly lock = LOCK_IDS.endWaitingDeliveries;

  constructor(
    private readonly messages: MessagesRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) { sweepIntervalMs }: Pick<Config, 'sweepIntervalMs'>,
  ) {
    this.intervalMs = sweepIntervalMs;
  }

  due(): Sql {
    return endedWaits(this.clock.now());
  }

  async run(): Promise<boolean> {
    const now = this.clock.now();
    let budget = ROWS_AT_ONCE;
    for (const wait of await this.messages.findEndedWaits(now, ROWS_AT_ONCE)) {
      if (budget <= 0) return true;
      budget -= 1 + (await this.messages.endWaiting(wait, now, budget));
    }
    return budget <= 0;
  }
}
