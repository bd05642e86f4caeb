import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { MessagesRepository, PagesRepository } from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import { LOOK_AGAIN_MS, type Sweep, SWEEP_LIMIT } from './recovery-limits';

/** Pages that one turn ends: some ten thousand devices. */
const PAGES_A_TURN = 40;

/** Messages that were cancelled while pages of theirs waited: every device on them gets its delivery row. */
@Injectable()
export class CancelledSweep implements Sweep {
  constructor(
    private readonly messages: MessagesRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly pages: PagesRepository,
  ) {}

  async sweep(): Promise<boolean> {
    const now = this.clock.now();
    const due = (await this.messages.findDue(now, SWEEP_LIMIT)).filter(({ isCancelled }) => isCancelled);
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
