import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { SECOND_MS } from '@postrider/domain';
import { PeriodicTasks } from '../runtime/periodic-tasks.service';
import { SessionRegistry } from '../session/session-registry';
import { CancelledMessages } from '../waiting/cancelled-messages.service';
import { WaitingRechecks } from '../waiting/waiting-rechecks.service';
import { EdgeLease } from './edge-lease.service';
import { SessionCloser } from './session-closer.service';

/** The periodic task that catches up. It is also run after each heartbeat. */
export const RETURN = 'return';

/** What an edge does before it publishes again, after other processes may have considered it dead. */
@Injectable()
export class EdgeReturn implements OnApplicationBootstrap {
  constructor(
    private readonly tasks: PeriodicTasks,
    private readonly lease: EdgeLease,
    private readonly closer: SessionCloser,
    private readonly cancelled: CancelledMessages,
    private readonly rechecks: WaitingRechecks,
    private readonly registry: SessionRegistry,
  ) {}

  onApplicationBootstrap(): void {
    this.tasks.every(SECOND_MS, RETURN, () => this.catchUp());
  }

  /**
   * Closes the connections of devices that got another owner, were removed or connected elsewhere, and drops messages that
   * were cancelled. Then publishes what waits. Messages were not routed to this edge meanwhile, so what waits for each
   * device is read again. Does nothing if the lease is held.
   */
  async catchUp(): Promise<void> {
    if (!this.lease.isLost) return;
    await this.lease.catchUp(async () => {
      await this.closer.closeReplaced();
      await this.closer.reconcile();
      await this.cancelled.dropFromOutboxes();
    });
    this.rechecks.requestAll();
    for (const session of this.registry.connected()) session.flush();
  }
}
