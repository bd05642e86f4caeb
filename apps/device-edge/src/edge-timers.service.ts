import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { SECOND_MS } from '@postrider/domain';
import { CancelledMessages } from './waiting/cancelled-messages.service';
import { ConnectedDevices } from './presence/connected-devices.service';
import { RETURN } from './presence/edge-return.service';
import { Heartbeat } from './presence/heartbeat.service';
import { SessionCloser } from './presence/session-closer.service';
import { HintReceiver } from './hint-receiver.service';
import { PeriodicTasks } from './runtime/periodic-tasks.service';

const RECONCILE_MS = 5_000;
const DEAD_EDGES_MS = 10_000;

/** Starts and stops what an edge does periodically. */
@Injectable()
export class EdgeTimers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly tasks: PeriodicTasks,
    private readonly heartbeat: Heartbeat,
    private readonly devices: ConnectedDevices,
    private readonly closer: SessionCloser,
    private readonly cancelled: CancelledMessages,
    private readonly hints: HintReceiver,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.heartbeat.start();
    this.tasks.runNow(RETURN);
    this.tasks.every(SECOND_MS, 'heartbeat', async () => {
      await this.heartbeat.beat();
      this.tasks.runNow(RETURN);
    });
    this.tasks.every(SECOND_MS, 'closures', () => this.closer.closeReplaced());
    this.tasks.every(SECOND_MS, 'withdrawals', () => this.cancelled.dropFromOutboxes());
    this.tasks.every(RECONCILE_MS, 'reconcile', () => this.closer.reconcile());
    this.tasks.every(DEAD_EDGES_MS, 'dead-edges', () => this.heartbeat.removeDeadEdges());
    this.tasks.every(SECOND_MS, 'connections', async () => {
      // Node runs timers before sockets: what devices sent until now is read first, however long the process stands still.
      const nowMs = performance.now();
      await nextTurn();
      this.devices.tick(nowMs);
    });
    this.hints.listen(() => this.tasks.runNow('closures'));
  }

  /** All connections are closed by now: no device is present on this edge any more. */
  async beforeApplicationShutdown(): Promise<void> {
    this.tasks.stop();
    await this.heartbeat.stop();
  }
}
