import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { WaitingDeliveriesRepository, LOCK_IDS, lateOnConnections, type Sql } from '@postrider/persistence';
import { CLOCK, CONFIG, type Config, LOGGER, type Logger } from '@postrider/platform';
import { Enqueuer } from '@postrider/queues';
import { ROWS_AT_ONCE, type MaintenanceTask } from '../registry/maintenance-task';

/**
 * Sends messages that a connection does not acknowledge (it is half-open, or its edge is gone) by vendor push, if the device
 * has a token. So such a connection delays a message by seconds, and the message is not lost. Runs every second
 * (`SWEEP_INTERVAL_MS`).
 */
@Injectable()
export class RerouteLateMessages implements MaintenanceTask {
  readonly name = 'reroute-late-messages';
  readonly intervalMs: number;
  readonly lock = LOCK_IDS.rerouteLateMessages;

  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly enqueuer: Enqueuer,
    private readonly deliveries: WaitingDeliveriesRepository,
  ) {
    this.intervalMs = config.sweepIntervalMs;
  }

  due(): Sql {
    return lateOnConnections(this.#routedBefore(this.clock.now()));
  }

  async run(): Promise<boolean> {
    const now = this.clock.now();
    const { deliveries, pages } = await this.deliveries.reroute({
      now,
      routedBefore: this.#routedBefore(now),
      limit: ROWS_AT_ONCE,
      pageSize: this.config.pageSize,
    });
    if (pages.length > 0) {
      this.logger.info({ deliveries, pages: pages.length }, 'connections.not-acknowledged');
      await this.enqueuer.enqueuePages(pages);
    }
    return deliveries === ROWS_AT_ONCE;
  }

  #routedBefore(now: Date): Date {
    return new Date(now.getTime() - this.config.connectionAckTimeoutMs);
  }
}
