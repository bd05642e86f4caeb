import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { type Clock, DomainError } from '@postrider/domain';
import { type Removal, RemovalsRepository, TABLES_OF_APPLICATION } from '@postrider/persistence';
import { CLOCK, LOGGER, type Logger, Shutdown } from '@postrider/platform';

const ROWS_PER_STEP = 20_000;
const LOOK_EVERY_MS = 200;
const RETRY_SECONDS = 2;

/** This process stops, or another process carries out the removal now, or has ended it. */
class Interrupted extends Error {}

/**
 * Removes applications with all their data. First their access tokens and vendor credentials go: nobody can send any more
 * (over another gateway for a few seconds yet), and no vendor is called. Then the rows are deleted in steps, however many
 * there are. The gateway removes; the audience worker resumes what the gateway does not finish (`ResumeRemovals`).
 */
@Injectable()
export class RemoveApplication {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly removals: RemovalsRepository,
    private readonly shutdown: Shutdown,
  ) {}

  /**
   * Ends every access to the application. From then on it is removed, whichever process dies.
   *
   * @returns false if there is no such application
   */
  begin(appId: string): Promise<boolean> {
    return this.removals.begin(appId, this.clock.now());
  }

  /**
   * Returns when the last row is deleted, by this process or by another one that is at it. Call `begin` before.
   *
   * @throws DomainError UNAVAILABLE if this process stops: another one continues
   */
  async complete(appId: string): Promise<void> {
    const { signal } = this.shutdown;
    while (await this.removals.isUnderWay(appId)) {
      if (signal.aborted) throw goesOnElsewhere();
      const removal = await this.removals.take(appId, randomUUID());
      if (removal === null) await pause(LOOK_EVERY_MS);
      else await this.#run(removal, signal);
    }
  }

  /**
   * Continues the oldest removal that was interrupted, or whose process died.
   *
   * @param signal interrupts it between two steps: the next call continues
   * @returns false if there is none
   */
  async resume(signal: AbortSignal): Promise<boolean> {
    const removal = await this.removals.take(null, randomUUID());
    if (removal !== null) await this.#run(removal, signal, true);
    return removal !== null;
  }

  async #run(removal: Removal, signal: AbortSignal, isResumed = false): Promise<void> {
    const startedAt = performance.now();
    try {
      const rows = await this.#deleteRows(removal, signal);
      await this.removals.finish(removal);
      const durationMs = Math.round(performance.now() - startedAt);
      this.logger.info({ appId: removal.appId, rows, isResumed, durationMs }, 'application.removed');
    } catch (error) {
      await this.removals.giveBack(removal);
      if (!(error instanceof Interrupted)) throw error;
    }
  }

  async #deleteRows(removal: Removal, signal: AbortSignal): Promise<number> {
    let deleted = 0;
    for (const table of TABLES_OF_APPLICATION) {
      for (let gone = ROWS_PER_STEP; gone === ROWS_PER_STEP; deleted += gone) {
        if (signal.aborted || !(await this.removals.hold(removal))) throw new Interrupted();
        gone = await this.removals.deleteRows(removal.appId, table, ROWS_PER_STEP);
      }
    }
    return deleted;
  }
}

function goesOnElsewhere(): DomainError {
  return new DomainError('UNAVAILABLE', 'This process stops; the removal of the application goes on without it', {
    retryAfterSeconds: RETRY_SECONDS,
  });
}
