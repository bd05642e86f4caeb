import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import type { Logger } from '../logging/logger';
import type { Shutdown } from '../shutdown/shutdown';
import { type OutageLog, repeat } from './repeat';

/** How often the work runs, and with which services. */
interface RecurringTerms {
  /** The name in the log. */
  name: string;
  /** The time between the end of a turn and the next one, when there is no more to do. */
  intervalMs: number;
  logger: Logger;
  shutdown: Shutdown;
  /** Left out: no error is an outage. */
  outage?: OutageLog;
}

/**
 * Work that a process repeats from its start to its end (`repeat`). A process that stops waits for the current turn;
 * one that fails to start does not.
 */
export abstract class RecurringWork implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #destroyed = new AbortController();
  #running: Promise<void> | undefined;

  constructor(private readonly terms: RecurringTerms) {}

  /** @returns true if there is more to do at once */
  abstract turn(): Promise<boolean>;

  onApplicationBootstrap(): void {
    const { shutdown, ...terms } = this.terms;
    this.#running = repeat({
      ...terms,
      signal: AbortSignal.any([shutdown.signal, this.#destroyed.signal]),
      turn: () => this.turn(),
    });
  }

  async onModuleDestroy(): Promise<void> {
    this.#destroyed.abort();
    if (this.terms.shutdown.isShuttingDown) await this.#running;
  }
}
