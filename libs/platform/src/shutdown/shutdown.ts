import { setMaxListeners } from 'node:events';
import { Injectable } from '@nestjs/common';

/**
 * The end of this process. It begins once and never ends: at that moment readiness turns false, `signal` fires, and
 * every holder of work finishes it or gives it back.
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

  /** True as soon as the process begins to stop. */
  get isShuttingDown(): boolean {
    return this.#controller.signal.aborted;
  }

  /** Begins the shutdown; a second call does nothing. */
  begin(): void {
    this.#controller.abort();
  }
}
