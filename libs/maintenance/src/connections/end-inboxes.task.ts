import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { MessagesRepository } from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import { ConnectionSweep } from './hand-over-late-messages.task';
import { HeldInboxSweep } from './open-held-inboxes.task';
import { type Sweep, SWEEP_LIMIT } from '../recovery/recovery-limits';
import { UnprovedSweep } from './close-unproved-connections.task';

/**
 * Opens inboxes whose time has come, hands on what no connection acknowledged, ends connections that must not be, and ends what
 * still waits although its message expired or was cancelled.
 */
@Injectable()
export class InboxSweep implements Sweep {
  constructor(
    private readonly messages: MessagesRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly held: HeldInboxSweep,
    private readonly connections: ConnectionSweep,
    private readonly unproved: UnprovedSweep,
  ) {}

  async sweep(): Promise<boolean> {
    await this.unproved.sweep();
    const isMoreHeld = await this.held.sweep();
    const hasMore = (await this.connections.sweep()) || isMoreHeld;
    const now = this.clock.now();
    let budget = SWEEP_LIMIT;
    for (const inbox of await this.messages.findEndingInboxes(now, SWEEP_LIMIT)) {
      if (budget <= 0) return true;
      budget -= 1 + (await this.messages.endInbox(inbox, now, budget));
    }
    return budget <= 0 || hasMore;
  }
}
