import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs, type Clock } from '@postrider/domain';
import { isDatabaseUnavailable, OutageWarning, type RecordedDeliveries, type Settlement } from '@postrider/persistence';
import type { Logger } from '@postrider/platform';
import type { DeliveryMetrics } from '../delivery-metrics';
import type { PageRun } from '../run/page-run';
import type { SendWindow } from '../send/send-window';
import type { DeliveryStore } from './delivery-store.service';

/**
 * Outcomes wait about this long, so that few statements write the outcomes of a page; they wait less when the window
 * fills.
 */
const FLUSH_AFTER_MS = 50;
/** Short: outcomes that are recorded soon after PostgreSQL is back are not sent again by the page's next worker. */
const BACKOFF = { firstMs: 100, maxMs: 250 };

/** The services that the recorder uses. */
export interface RecorderServices {
  store: DeliveryStore;
  clock: Clock;
  logger: Logger;
  metrics: DeliveryMetrics;
  window: SendWindow;
  /** Aborted when the process must end: outcomes that are not recorded by then are left until the lease ends. */
  deadline: AbortSignal;
}

/**
 * Writes the outcomes of a page's deliveries while it runs, and its end. When PostgreSQL is away, outcomes are kept and written
 * later, and the page's sending pauses. If another worker has claimed the page, the run stops as `lost`.
 */
export class DeliveryRecorder {
  /** Not a `Map`: `RunsInHand` says why. */
  readonly #flushing: { run: PageRun; done: Promise<void> }[] = [];
  readonly #failures = new Map<PageRun, { count: number; retryAt: number }>();
  /** Outcomes of vendor calls that are being written. */
  #underWay = 0;
  /** Runs for which a statement failed, so that it is unknown whether it was committed. */
  readonly #uncertain = new WeakSet<PageRun>();
  readonly #flushDelayed: OutageWarning;
  readonly #settleDelayed: OutageWarning;

  constructor(private readonly services: RecorderServices) {
    // One listener for each page whose end waits for PostgreSQL is normal, not a leak.
    setMaxListeners(0, services.deadline);
    this.#flushDelayed = new OutageWarning(services.logger, 'page.flush-delayed');
    this.#settleDelayed = new OutageWarning(services.logger, 'page.settle-delayed');
  }

  /** @param flush called when so many outcomes are unrecorded that they slow down sending */
  whenPressing(flush: () => void): void {
    this.services.window.listen({ onPressing: flush });
  }

  /**
   * Flushes the runs whose oldest outcome has waited long enough. If so many outcomes are unrecorded that they slow
   * down sending, it also flushes the runs with the most outcomes, until enough is being written: a few large
   * statements cost a fraction of many small ones.
   */
  flushDue(runs: Iterable<PageRun>): void {
    const { clock, window } = this.services;
    const now = clock.now().getTime();
    const others: PageRun[] = [];
    for (const run of runs) {
      if (!this.#canFlush(run, now)) continue;
      if (now - run.unwritten.oldestAt >= FLUSH_AFTER_MS) this.#begin(run);
      else others.push(run);
    }
    if (!window.isPressing(this.#underWay)) return;
    others.sort((one, other) => other.unwritten.size - one.unwritten.size);
    for (const run of others) {
      this.#begin(run);
      if (!window.isPressing(this.#underWay)) return;
    }
  }

  #canFlush(run: PageRun, now: number): boolean {
    if (run.unwritten.size === 0 || run.stopCause === 'lost' || this.#flushOf(run) !== undefined) return false;
    return now >= (this.#failures.get(run)?.retryAt ?? 0);
  }

  #begin(run: PageRun): void {
    const done = this.#flush(run).finally(() => {
      this.#flushing.splice(
        this.#flushing.findIndex((flush) => flush.run === run),
        1,
      );
    });
    this.#flushing.push({ run, done });
  }

  /** Returns the flush of a run that is under way. */
  #flushOf(run: PageRun): Promise<void> | undefined {
    return this.#flushing.find((flush) => flush.run === run)?.done;
  }

  /**
   * Writes a run's end, after the flush that may be under way. Repeats while PostgreSQL is away.
   * @returns what was written, or null if another worker has the page by then
   * @throws PostgreSQL's error if it refuses the statement itself
   */
  async settle(run: PageRun, compose: () => Settlement): Promise<Settlement | null> {
    await this.#flushOf(run);
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
    const { store, deadline } = this.services;
    for (let failures = 1; ; failures++) {
      try {
        return await store.settle(run, settlement, this.#isRepeated(run));
      } catch (error) {
        this.#uncertain.add(run);
        if (!isDatabaseUnavailable(error) || deadline.aborted) throw error;
        this.#settleDelayed.log(error, { pageId: run.key.pageId });
        await sleep(backoffMs(BACKOFF, failures), undefined, { signal: deadline }).catch(() => undefined);
      }
    }
  }

  async #flush(run: PageRun): Promise<void> {
    const taken = run.takeOutcomes();
    const unrecorded = run.takeUnrecorded();
    this.#underWay += unrecorded;
    try {
      const isHeld = await this.services.store.flush(run, taken, this.services.clock.now(), this.#isRepeated(run));
      this.services.window.recorded(unrecorded);
      if (!isHeld) {
        run.stop('lost');
        return;
      }
      this.#count(run, taken);
      this.#failures.delete(run);
      run.flushed();
    } catch (error) {
      this.#uncertain.add(run);
      run.flushFailed(taken, unrecorded);
      this.#postpone(run, error);
    } finally {
      this.#underWay -= unrecorded;
    }
  }

  /** True if outcomes may be recorded already although this worker does not know it. */
  #isRepeated(run: PageRun): boolean {
    return run.page.fence > 1 || this.#uncertain.has(run);
  }

  #count(run: PageRun, { states }: RecordedDeliveries): void {
    const ended = states.filter((state) => state !== 'pending');
    this.services.metrics.deliveriesRecorded(run.page.vendor, ended);
  }

  #postpone(run: PageRun, error: unknown): void {
    const count = (this.#failures.get(run)?.count ?? 0) + 1;
    const waitMs = backoffMs(BACKOFF, count);
    this.#failures.set(run, { count, retryAt: this.services.clock.now().getTime() + waitMs });
    this.#flushDelayed.log(error, { pageId: run.key.pageId, failures: count });
  }
}
