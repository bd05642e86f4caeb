import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DATABASE, type Database, LOCK_IDS, withAdvisoryLock } from '@postrider/persistence';
import { LOGGER, type Logger, repeat, Shutdown } from '@postrider/platform';
import { MeasureSegmentService } from './measure-segment.service';

/** A segment that was just saved is measured within this time, when nothing else is. */
const LOOK_MS = 2_000;
/** After a count the database has this many times as long for everything else: a fifth of one core, at most. */
const REST = 4;

/**
 * Keeps the sizes of saved segments over time. Every process has one; one of them measures, one segment at a time, that which
 * was due longest first. With more segments than it has time for each is measured less often, and campaigns wait for none.
 */
@Injectable()
export class SegmentSizes implements OnApplicationBootstrap, OnModuleDestroy {
  #running: Promise<void> | undefined;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly shutdown: Shutdown,
    private readonly measureSegment: MeasureSegmentService,
  ) {}

  onApplicationBootstrap(): void {
    const { signal } = this.shutdown;
    this.#running = repeat({ name: 'segment sizes', intervalMs: LOOK_MS, turn: () => this.turn(), signal, logger: this.logger }); // prettier-ignore
  }

  async onModuleDestroy(): Promise<void> {
    if (this.shutdown.isShuttingDown) await this.#running;
  }

  /**
   * Measures one segment and rests, unless another process is at it.
   *
   * @returns whether there may be more to measure
   */
  async turn(): Promise<boolean> {
    let tookMs: number | null = null;
    await withAdvisoryLock(this.database, LOCK_IDS.measureSegments, async () => {
      tookMs = await this.measureSegment.measureOne();
      if (tookMs !== null) await this.#rest(tookMs * REST);
    });
    return tookMs !== null;
  }

  async #rest(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.shutdown.signal }).catch(() => undefined);
  }
}
