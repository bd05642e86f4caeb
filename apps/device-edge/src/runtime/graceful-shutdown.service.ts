import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Shutdown } from '@postrider/platform';
import { Acknowledgements } from '../outcomes/outcome-recorder.service';
import { Connections } from '../session/session-registry';
import { PresenceKeeper } from '../presence/presence-writer.service';
import { Listeners } from '../transport/listeners.service';

/** Connections that are closed before the others get their turn. */
const AT_ONCE = 500;
const ACKNOWLEDGE_WITHIN_MS = 1_000;
const LOOK_EVERY_MS = 20;
/** What is not recorded by then is published again by the next edge. */
const RECORD_WITHIN_MS = 8_000;

/** The end of an edge: no new connections, and a goodbye to every device, which then connects to another edge. */
@Injectable()
export class Farewell implements OnModuleDestroy {
  constructor(
    shutdown: Shutdown,
    private readonly listeners: Listeners,
    private readonly connections: Connections,
    private readonly presence: PresenceKeeper,
    private readonly acknowledgements: Acknowledgements,
  ) {
    shutdown.signal.addEventListener('abort', () => this.listeners.stop());
  }

  async onModuleDestroy(): Promise<void> {
    this.listeners.stop();
    await this.#untilAcknowledged();
    this.connections.resting.endAll();
    let closed = 0;
    for (const session of [...this.connections.all()]) {
      session.close('shutting_down');
      if (++closed % AT_ONCE === 0) await new Promise((next) => setImmediate(next));
    }
    await Promise.all([this.presence.allLeft(), this.acknowledgements.allRecorded(RECORD_WITHIN_MS)]);
  }

  /** Nothing new goes out by now. Devices that are about to acknowledge need not be told the same again. */
  async #untilAcknowledged(): Promise<void> {
    const endsAt = performance.now() + ACKNOWLEDGE_WITHIN_MS;
    const isInFlight = (): boolean => [...this.connections.entered()].some(({ outbox }) => outbox.inFlight > 0);
    while (performance.now() < endsAt && isInFlight()) await pause(LOOK_EVERY_MS);
  }
}
