import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { DATABASE, type Database, endInbox, findEndingInboxes } from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import { ConnectionSweep } from './connection-sweep.service';
import { HeldInboxSweep } from './held-inbox-sweep.service';
import { type Sweep, SWEEP_LIMIT } from './sweep';

/** Opens inboxes whose time has come, hands on what no connection acknowledged, and ends what still waits there although its message expired or was cancelled. */
@Injectable()
export class InboxSweep implements Sweep {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly held: HeldInboxSweep,
    private readonly connections: ConnectionSweep,
  ) {}

  async sweep(): Promise<boolean> {
    const isMoreHeld = await this.held.sweep();
    const hasMore = (await this.connections.sweep()) || isMoreHeld;
    const now = this.clock.now();
    let budget = SWEEP_LIMIT;
    for (const inbox of await findEndingInboxes(this.database, now, SWEEP_LIMIT)) {
      if (budget <= 0) return true;
      budget -= 1 + (await endInbox(this.database, inbox, now, budget));
    }
    return budget <= 0 || hasMore;
  }
}
