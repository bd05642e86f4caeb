import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { DATABASE, type Database, endInbox, findEndingInboxes } from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import { type Sweep, SWEEP_LIMIT } from './sweep';

/** Deliveries that wait for a connection although their message expired or was cancelled: ends them. */
@Injectable()
export class InboxSweep implements Sweep {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async sweep(): Promise<boolean> {
    const now = this.clock.now();
    let budget = SWEEP_LIMIT;
    for (const inbox of await findEndingInboxes(this.database, now, SWEEP_LIMIT)) {
      if (budget <= 0) return true;
      budget -= 1 + (await endInbox(this.database, inbox, now, budget));
    }
    return budget <= 0;
  }
}
