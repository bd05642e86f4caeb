import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { LOCK_IDS, MessagesRepository, dueMessages, type Sql } from '@postrider/persistence';
import { CLOCK, CONFIG, type Config } from '@postrider/platform';
import { Enqueuer } from '@postrider/queues';
import { LOOK_AGAIN_MS, ROWS_AT_ONCE, type MaintenanceTask } from '../registry/maintenance-task';

/**
 * Enqueues messages that are not resolved and that no worker has, and ends messages whose pages are all finished. While
 * Redis is away they stay due. Runs every second (`SWEEP_INTERVAL_MS`).
 */
@Injectable()
export class RecoverMessages implements MaintenanceTask {
  readonly name = 'recover-messages';
  readonly intervalMs: number;
  readonly lock = LOCK_IDS.recoverMessages;

  constructor(
    private readonly messages: MessagesRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly enqueuer: Enqueuer,
    @Inject(CONFIG) { sweepIntervalMs }: Pick<Config, 'sweepIntervalMs'>,
  ) {
    this.intervalMs = sweepIntervalMs;
  }

  due(): Sql {
    return dueMessages(this.clock.now());
  }

  async run(): Promise<boolean> {
    const now = this.clock.now();
    const found = await this.messages.findDue(now, ROWS_AT_ONCE);
    // Ending the pages of a cancelled message that is resolved takes time, so `EndCancelledPages` does it.
    const due = found.filter(({ isResolved, isCancelled }) => !(isResolved && isCancelled));
    if (due.length === 0) return false;
    const resolved = due.filter(({ isResolved }) => isResolved);
    const unresolved = due.filter(({ isResolved }) => !isResolved);
    if (resolved.length > 0) await this.messages.complete(resolved, now);
    const isEnqueued = await this.enqueuer.enqueueMessages(unresolved);
    const seenTo = isEnqueued ? due : resolved;
    if (seenTo.length > 0) {
      await this.messages.postpone(seenTo, { now, wakeAt: new Date(now.getTime() + LOOK_AGAIN_MS) });
    }
    return isEnqueued && found.length === ROWS_AT_ONCE;
  }
}
