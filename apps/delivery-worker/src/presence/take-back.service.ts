import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { isUndefinedTable, OutageWarning, WorkerPresence, WorkersRepository } from '@postrider/persistence';
import { CLOCK, LOGGER, type Logger, RecurringWork, Shutdown } from '@postrider/platform';
import { QueueUnavailable, QUEUES, StrandedJobs } from '@postrider/queues';

/**
 * A worker that holds no lock at two looks, this far apart, is dead: a living worker takes its lock again within
 * milliseconds.
 */
const LOOK_EVERY_MS = 400;
/**
 * A worker that has just lost its own connection does not declare others dead: they may have lost theirs for the same
 * reason.
 */
const TRUSTED_AFTER_MS = 10_000;

/**
 * Takes back the pages and jobs of delivery workers that died: their leases end at once, and their jobs go back to the
 * queues. Every worker looks for dead ones, also one that was started in the place of a dead worker; one of them takes
 * back. Without this, pages continue only when their leases end, after about ten seconds.
 */
@Injectable()
export class TakeBack extends RecurringWork {
  #suspects = new Set<string>();

  constructor(
    private readonly workers: WorkersRepository,
    private readonly presence: WorkerPresence,
    private readonly jobs: StrandedJobs,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    shutdown: Shutdown,
  ) {
    const outage = new OutageWarning(logger, 'turn.failed');
    super({ name: 'take-back', intervalMs: LOOK_EVERY_MS, logger, shutdown, outage });
  }

  async turn(): Promise<boolean> {
    if (performance.now() - this.presence.lostAt < TRUSTED_AFTER_MS) {
      this.#suspects.clear();
      return false;
    }
    const unheld = (await this.#findUnheld()).filter((workerId) => workerId !== this.presence.workerId);
    const dead = unheld.filter((workerId) => this.#suspects.has(workerId));
    this.#suspects = new Set(unheld);
    for (const workerId of dead) await this.#takeBackFrom(workerId);
    return false;
  }

  async #findUnheld(): Promise<string[]> {
    try {
      return await this.workers.findUnheld();
    } catch (error) {
      // On a database that is not migrated yet, no worker has anything in hand.
      if (isUndefinedTable(error)) return [];
      throw error;
    }
  }

  async #takeBackFrom(workerId: string): Promise<void> {
    const pages = await this.workers.declareDead(workerId, this.clock.now());
    if (pages === null) return;
    const jobs = await this.jobs.giveBack(workerId, QUEUES).catch((error: unknown) => {
      if (error instanceof QueueUnavailable) return null;
      throw error;
    });
    this.logger.warn({ workerId, pages, jobs }, 'worker.lost');
  }
}
