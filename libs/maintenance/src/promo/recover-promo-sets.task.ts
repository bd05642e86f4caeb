import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import {
  type DuePromoSet,
  LOCK_IDS,
  type PromoSetKey,
  PromoSetsRepository,
  PromoUploadsRepository,
  duePromoSets,
  type Sql,
} from '@postrider/persistence';
import { CLOCK, CONFIG, type Config, LOGGER, type Logger } from '@postrider/platform';
import { importPromoSet, JOBS_CLIENT, type JobsClient, QueueUnavailable } from '@postrider/queues';
import { UPLOAD_CUT_OFF } from '../recovery/recover-files.tasks';
import type { MaintenanceTask } from '../registry/maintenance-task';

/** Sets that one turn sees to: each may hold millions of codes. */
const AT_ONCE = 50;

/**
 * Enqueues imports of promo codes that do not progress, fails uploads that were cut off, and deletes codes and files of old
 * sets. An import that still has its job is not enqueued twice; while Redis is away it stays due. Runs every second
 * (`SWEEP_INTERVAL_MS`).
 */
@Injectable()
export class RecoverPromoSets implements MaintenanceTask {
  readonly name = 'recover-promo-sets';
  readonly intervalMs: number;
  readonly lock = LOCK_IDS.recoverPromoSets;

  #isRedisAway = false;

  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(JOBS_CLIENT) private readonly jobs: JobsClient,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly sets: PromoSetsRepository,
    private readonly uploads: PromoUploadsRepository,
    @Inject(CONFIG) { sweepIntervalMs }: Pick<Config, 'sweepIntervalMs'>,
  ) {
    this.intervalMs = sweepIntervalMs;
  }

  due(): Sql {
    return duePromoSets(this.clock.now());
  }

  async run(signal: AbortSignal): Promise<boolean> {
    const due = await this.sets.findDue(this.clock.now(), AT_ONCE);
    await this.#enqueue(due.filter(({ state }) => state === 'importing'));
    let cleared = 0;
    for (const set of due) {
      if (signal.aborted) return false;
      if (set.state !== 'importing' && (await this.#clear(set, signal))) cleared += 1;
    }
    return cleared > 0 && due.length === AT_ONCE;
  }

  async #enqueue(imports: readonly DuePromoSet[]): Promise<void> {
    if (imports.length === 0) return;
    try {
      await this.jobs.enqueue(
        importPromoSet,
        imports.map(({ appId, setId }) => ({ appId, setId })),
      );
      this.#isRedisAway = false;
    } catch (error) {
      if (!(error instanceof QueueUnavailable)) throw error;
      if (!this.#isRedisAway) this.logger.warn({ err: error, queue: importPromoSet.queue }, 'enqueueing.paused');
      this.#isRedisAway = true;
    }
  }

  #giveUp(set: PromoSetKey): Promise<boolean> {
    return this.uploads.giveUp(set, { reason: UPLOAD_CUT_OFF, now: this.clock.now() });
  }

  /** @returns true if nothing is left of it but its record */
  async #clear({ state, ...set }: DuePromoSet, signal: AbortSignal): Promise<boolean> {
    if (state === 'uploading' && !(await this.#giveUp(set))) return false;
    if (!(await this.sets.clear(set, signal))) return false;
    await this.sets.rest(set);
    this.logger.info({ ...set, state }, 'promo.cleared');
    return true;
  }
}
