import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Shutdown } from '@postrider/platform';
import { OutcomeRecorder } from './outcomes/outcome-recorder.service';
import { SessionRegistry } from './session/session-registry';
import { DelayedWills } from './presence/delayed-wills.service';
import { PresenceWriter } from './presence/presence-writer.service';
import { Listeners } from './transport/listeners.service';

/** The number of connections that are closed before a pause. */
const AT_ONCE = 500;
const ACKNOWLEDGE_WITHIN_MS = 1_000;
const POLL_MS = 20;
/** Messages whose outcome is not recorded by then are published again by the next edge. */
const RECORD_WITHIN_MS = 8_000;

/** Stops an edge: it accepts no more connections, and closes the open ones. The devices then connect to another edge. */
@Injectable()
export class GracefulShutdown implements OnModuleDestroy {
  constructor(
    shutdown: Shutdown,
    private readonly listeners: Listeners,
    private readonly registry: SessionRegistry,
    private readonly presence: PresenceWriter,
    private readonly outcomes: OutcomeRecorder,
    private readonly wills: DelayedWills,
  ) {
    shutdown.signal.addEventListener('abort', () => this.listeners.stop());
  }

  async onModuleDestroy(): Promise<void> {
    this.listeners.stop();
    await this.#untilAcknowledged();
    this.registry.lingering.endAll();
    let closed = 0;
    for (const session of [...this.registry.all()]) {
      session.close('shutting_down');
      if (++closed % AT_ONCE === 0) await new Promise((next) => setImmediate(next));
    }
    await Promise.all([this.presence.allLeft(), this.outcomes.allRecorded(RECORD_WITHIN_MS), this.wills.publishAll()]);
  }

  /** Gives devices time to acknowledge what is in flight, so that it is not published again. Nothing new is published by now. */
  async #untilAcknowledged(): Promise<void> {
    const endsAt = performance.now() + ACKNOWLEDGE_WITHIN_MS;
    const isInFlight = (): boolean => [...this.registry.connected()].some(({ outbox }) => outbox.inFlight > 0);
    while (performance.now() < endsAt && isInFlight()) await pause(POLL_MS);
  }
}
