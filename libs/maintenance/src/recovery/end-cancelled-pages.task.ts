import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { LOCK_IDS, MessagesRepository, PagesRepository, dueCancelledMessages, type Sql } from '@postrider/persistence';
import { CLOCK, CONFIG, type Config } from '@postrider/platform';
import { LOOK_AGAIN_MS, ROWS_AT_ONCE, type MaintenanceTask } from '../registry/maintenance-task';

/** Pages that one turn ends: some ten thousand devices. */
const PAGES_A_TURN = 40;

/**
 * Ends the pages that waited when their message was cancelled: each device on them gets its delivery row. Runs every second
 * (`SWEEP_INTERVAL_MS`).
 */
@Injectable()
export class EndCancelledPages implements MaintenanceTask {
  readonly name = 'end-cancelled-pages';
  readonly intervalMs: number;
  readonly lock = LOCK_IDS.endCancelledPages;

  constructor(
    private readonly messages: MessagesRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly pages: PagesRepository,
    @Inject(CONFIG) { sweepIntervalMs }: Pick<Config, 'sweepIntervalMs'>,
  ) {
    this.intervalMs = sweepIntervalMs;
  }

  due(): Sql {
    return dueCancelledMessages(this.clock.now());
  }

  async run(): Promise<boolean> {
    const now = this.clock.now();
    const due = (await this.messages.findDue(now, ROWS_AT_ONCE)).filter(({ isCancelled }) => isCancelled);
    if (due.length === 0) return false;
    // They stay due until none of their pages waits.
    if ((await this.pages.endCancelled(due, now, PAGES_A_TURN)) > 0) return true;
    const resolved = due.filter(({ isResolved }) => isResolved);
    if (resolved.length > 0) {
      await this.messages.postpone(resolved, { now, wakeAt: new Date(now.getTime() + LOOK_AGAIN_MS) });
    }
    return false;
  }
}
