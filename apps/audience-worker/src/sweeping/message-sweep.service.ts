import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import {
  completeMessages,
  DATABASE,
  type Database,
  endCancelledPages,
  findDueMessages,
  postponeMessages,
} from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import { Enqueuer } from '../enqueueing/enqueuer.service';
import { LOOK_AGAIN_MS, type Sweep, SWEEP_LIMIT } from './sweep';

/** Pages of cancelled messages that one turn ends. */
const CANCELLED_PAGES_A_TURN = 200;

/**
 * Messages that nobody gets on with: enqueues those that are not resolved, and ends those whose pages are all finished, or
 * that were cancelled while pages waited. While Redis is away they stay due.
 */
@Injectable()
export class MessageSweep implements Sweep {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly enqueuer: Enqueuer,
  ) {}

  async sweep(): Promise<boolean> {
    const now = this.clock.now();
    const due = await findDueMessages(this.database, now, SWEEP_LIMIT);
    if (due.length === 0) return false;
    // They stay due until none of their pages waits.
    if ((await endCancelledPages(this.database, due, now, CANCELLED_PAGES_A_TURN)) > 0) return true;
    const resolved = due.filter(({ isResolved }) => isResolved);
    const unresolved = due.filter(({ isResolved }) => !isResolved);
    if (resolved.length > 0) await completeMessages(this.database, resolved, now);
    const isEnqueued = await this.enqueuer.enqueueMessages(unresolved);
    const seenTo = isEnqueued ? due : resolved;
    if (seenTo.length > 0) {
      await postponeMessages(this.database, seenTo, { now, wakeAt: new Date(now.getTime() + LOOK_AGAIN_MS) });
    }
    return isEnqueued && due.length === SWEEP_LIMIT;
  }
}
