import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { MessagesRepository } from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import { Enqueuer } from '@postrider/queues';
import { LOOK_AGAIN_MS, type Sweep, SWEEP_LIMIT } from './recovery-limits';

/**
 * Messages that nobody gets on with: enqueues those that are not resolved, and ends those whose pages are all finished. While
 * Redis is away they stay due.
 */
@Injectable()
export class MessageSweep implements Sweep {
  constructor(
    private readonly messages: MessagesRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly enqueuer: Enqueuer,
  ) {}

  async sweep(): Promise<boolean> {
    const now = this.clock.now();
    const found = await this.messages.findDue(now, SWEEP_LIMIT);
    // A cancelled one that is resolved has pages to be ended, which takes its time (`CancelledSweep`).
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
    return isEnqueued && found.length === SWEEP_LIMIT;
  }
}
