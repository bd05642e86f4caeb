import { backoffMs, type Clock } from '@postrider/domain';
import { isDatabaseUnavailable, type RecordedDeliveries, type Settlement } from '@postrider/persistence';
import type { Logger } from '@postrider/platform';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SendWindow } from './send-window';
import type { DeliveryMetrics } from './delivery-metrics';
import type { PageRun } from './page-run';
import type { WritePages } from './write-pages.service';

/** Outcomes wait about this long, so that a page's are written in a few statements; less when the window fills. */
const FLUSH_AFTER_MS = 50;
/** Short: when PostgreSQL is back, what is recorded soon is not sent again by the next worker of the page. */
const BACKOFF = { firstMs: 100, maxMs: 250 };

/** What the recorder works with. */
export interface RecorderServices {
  writes: Pick<WritePages, 'flush' | 'settle'>;
  clock: Clock;
  logger: Logger;
  metrics: DeliveryMetrics;
  window: SendWindow;
  /** Aborted when the process must end: what could not be recorded by then is left to the lease. */
  deadline: AbortSignal;
}

/**
 * Writes what came of a page's deliveries while it runs, and its end. When PostgreSQL is away, outcomes are kept and written
 * later, and the page's sending pauses. When the page turns out to be somebody else's, its run stops as `lost`.
 */
export class PageRecorder {
  readonly #flushing = new Map<PageRun, Promise<void>>();
  readonly #failures = new Map<PageRun, { count: number; retryAt: number }>();

  constructor(private readonly services: RecorderServices) {}

  /** Flushes the run if it has something old to write, or much is unrecorded. @returns whether it does */
  flushIfDue(run: PageRun): boolean {
    const { clock, window } = this.services;
    if (run.oldestOutcomeAt === Infinity || run.stopCause === 'lost' || this.#flushing.has(run)) return false;
    const now = clock.now().getTime();
    if (now - run.oldestOutcomeAt < FLUSH_AFTER_MS && !window.isPressing) return false;
    if (now < (this.#failures.get(run)?.retryAt ?? 0)) return false;
    const flushing = this.#flush(run).finally(() => this.#flushing.delete(run));
    this.#flushing.set(run, flushing);
    return true;
  }

  /**
   * Writes a run's end, after the flush that may be under way. Repeats while PostgreSQL is away.
   *
   * @returns what was written, or null when the page was somebody else's by then
   * @throws what PostgreSQL says to the statement itself
   */
  async settle(run: PageRun, compose: () => Settlement): Promise<Settlement | null> {
    await this.#flushing.get(run);
    this.#failures.delete(run);
    try {
      if (run.stopCause === 'lost') return null;
      const settlement = compose();
      const isSettled = await this.#settle(run, settlement);
      if (isSettled) this.#count(run, settlement.recorded);
      return isSettled ? settlement : null;
    } finally {
      this.services.window.recorded(run.takeUnrecorded());
    }
  }

  async #settle(run: PageRun, settlement: Settlement): Promise<boolean> {
    const { writes, deadline, logger } = this.services;
    for (let failures = 1; ; failures++) {
      try {
        return await writes.settle(run.key, settlement);
      } catch (error) {
        if (!isDatabaseUnavailable(error) || deadline.aborted) throw error;
        logger.warn({ pageId: run.key.pageId, err: error }, 'page.settle-delayed');
        await sleep(backoffMs(BACKOFF, failures), undefined, { signal: deadline }).catch(() => undefined);
      }
    }
  }

  async #flush(run: PageRun): Promise<void> {
    const taken = run.takeOutcomes();
    const unrecorded = run.takeUnrecorded();
    try {
      const isHeld = await this.services.writes.flush(run.key, taken, this.services.clock.now());
      this.services.window.recorded(unrecorded);
      if (!isHeld) {
        run.stop('lost');
        return;
      }
      this.#count(run, taken);
      this.#failures.delete(run);
      run.flushed();
    } catch (error) {
      run.flushFailed(taken, unrecorded);
      this.#postpone(run, error);
    }
  }

  #count(run: PageRun, { states }: RecordedDeliveries): void {
    const ended = states.filter((state) => state !== 'pending');
    this.services.metrics.deliveriesRecorded(run.page.vendor, ended);
  }

  #postpone(run: PageRun, error: unknown): void {
    const count = (this.#failures.get(run)?.count ?? 0) + 1;
    const waitMs = backoffMs(BACKOFF, count);
    this.#failures.set(run, { count, retryAt: this.services.clock.now().getTime() + waitMs });
    this.services.logger.warn({ pageId: run.key.pageId, failures: count, err: error }, 'page.flush-delayed');
  }
}
