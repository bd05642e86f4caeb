import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { closeUnprovedConnections, DATABASE, type Database, findLatelyGuarded } from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import { EdgeHints } from '@postrider/queues';
import type { Sweep } from './sweep';

/** A statement that did not see the new setting ends within a minute. */
const LATELY_MS = 120_000;

/**
 * Connections of devices that have not proved their user, where the application has begun to require that: the gateway ends
 * them, but for those that were being made at that moment, and all of them when it died over it.
 */
@Injectable()
export class UnprovedSweep implements Sweep {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly edgeHints: EdgeHints,
  ) {}

  async sweep(): Promise<boolean> {
    const since = new Date(this.clock.now().getTime() - LATELY_MS);
    for (const appId of await findLatelyGuarded(this.database, since)) {
      this.edgeHints.tellClosures(await closeUnprovedConnections(this.database, appId));
    }
    return false;
  }
}
