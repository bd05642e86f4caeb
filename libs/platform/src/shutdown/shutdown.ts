import { setMaxListeners } from 'node:events';
import { Injectable } from '@nestjs/common';

/**
 * Whether this process is on its way out. It begins once and never ends: readiness turns false at that moment, `signal`
 * fires, and whoever holds work finishes it or gives it back.
 */
@Injectable()
export class Shutdown {
  readonly #controller = new AbortController();

  constructor() {
    // One listener for each job in hand is normal, not a leak.
    setMaxListeners(0, this.#controller.signal);
  }

  /** Fires when the process begins to stop. Pass it to what takes long. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get isShuttingDown(): boolean {
    return this.#controller.signal.aborted;
  }

  /** Begins it; a second call does nothing. */
  begin(): void {
    this.#controller.abort();
  }
}
