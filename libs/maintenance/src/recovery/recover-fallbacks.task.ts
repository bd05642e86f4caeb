import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { LOCK_IDS, FallbacksRepository, dueFallbacks, type Sql } from '@postrider/persistence';
import { CLOCK, CONFIG, type Config } from '@postrider/platform';
import { Enqueuer } from '@postrider/queues';
import type { MaintenanceTask } from '../registry/maintenance-task';

/** Fallbacks whose messages one turn finds: they are only read here, so there may be many. */
const FALLBACKS_A_TURN = 5_000;

/**
 * Enqueues messages with fallback SMS that are due, or whose worker died. Nothing else enqueues them: once a second
 * (`SWEEP_INTERVAL_MS`) is as exact as a delay in seconds needs. A message whose job still waits or runs gets no second one.
 */
@Injectable()
export class RecoverFallbacks implements MaintenanceTask {
  readonly name = 'recover-fallbacks';
  readonly intervalMs: number;
  readonly lock = LOCK_IDS.recoverFallbacks;

  constructor(
    private readonly fallbacks: FallbacksRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly enqueuer: Enqueuer,
    @Inject(CONFIG) { sweepIntervalMs }: Pick<Config, 'sweepIntervalMs'>,
  ) {
    this.intervalMs = sweepIntervalMs;
  }

  due(): Sql {
    return dueFallbacks(this.clock.now());
  }

  /** @returns false: fallbacks that are found again at once have a job already */
  async run(): Promise<boolean> {
    const due = await this.fallbacks.findDue(this.clock.now(), FALLBACKS_A_TURN);
    await this.enqueuer.enqueueFallbacks(due);
    return false;
  }
}
