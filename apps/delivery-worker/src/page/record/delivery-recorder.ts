import { Inject, Injectable } from '@nestjs/common';
import { type DeviceId, backoffMs, type Clock } from '@postrider/domain';
import {
  type Database,
  DATABASE,
  type EndedPage,
  type Executor,
  type LeasedPage,
  inTransaction,
  isDatabaseUnavailable,
  OutageWarning,
  type PageEnding,
  PagesRepository,
  type RecordedDeliveries,
  type Settlement,
  WebhookEventsRepository,
} from '@postrider/persistence';
import { Batcher, CONFIG, type Config, type Logger } from '@postrider/platform';
import { setTimeout as sleep } from 'node:timers/promises';
import { SubscribedEvents } from '../../webhooks/subscribed-events';
import type { DeliveryMetrics } from '../delivery-metrics';
import type { PageRun } from '../run/page-run';
import type { SendWindow } from '../send/send-window';

/**
 * Outcomes wait about this long, so that few statements write the outcomes of a page; they wait less when the window
 * fills.
 */
const FLUSH_AFTER_MS = 50;
/** If a page has more outcomes than this, its end gets a statement of its own. */
const FEW_OUTCOMES = 50;
/**
 * A busy worker writes the ends of small pages in intervals of this length, so that few statements write the ends of
 * many.
 */
const ENDS_APART_MS = 10;
const NOTHING: RecordedDeliveries = {
  deviceIds: [],
  states: [],
  ranks: [],
  vendorMessageIds: [],
  errorCodes: [],
  reasons: [],
  times: [],
};
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

/**
 * Writes the outcomes of pages into the ledger. If a webhook asks for `delivery.failed`, the devices that the page is
 * done with and failed to reach go into one event, in the transaction of the page's end. The events name each device
 * once, whichever workers had the page before. For an application without such a webhook this costs nothing. One
 * statement ends the small pages that end at the same moment; each of them succeeds or fails independently.
 */
@Injectable()
export class DeliveryStore {
  readonly #endings: Batcher<PageEnding, boolean>;
  /** The endings of pages whose application has a webhook for failed deliveries. */
  readonly #endingsWithEvents: Batcher<PageEnding, boolean>;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly pages: PagesRepository,
    private readonly events: WebhookEventsRepository,
    private readonly subscribed: SubscribedEvents,
    @Inject(CONFIG) private readonly config: Pick<Config, 'packDeliveries'>,
  ) {
    this.#endings = endingBatches((endings) => this.pages.settleMany(endings));
    this.#endingsWithEvents = endingBatches((endings) =>
      this.pages.settleMany(endings, (executor, ended) => this.#recordFailed(executor, ended)),
    );
  }

  /**
   * Records outcomes of a page that goes on.
   * @param isRepeated true if some of them may be recorded already
   * @returns false if the page no longer belongs to the caller
   */
  flush(run: PageRun, recorded: RecordedDeliveries, now: Date, isRepeated: boolean): Promise<boolean> {
    if (!this.#isPacked(run)) return this.pages.flush(run.key, recorded, now);
    return this.pages.flushPacked(run.key, recorded, now, isRepeated);
  }

  /**
   * Ends a page, or gives back what is left of it. Outcomes that can be packed are recorded first: a worker that dies
   * in between leaves a page that was flushed.
   * @param isRepeated true if some of it may be recorded already
   * @returns false if the page no longer belongs to the caller
   */
  async settle(run: PageRun, settlement: Settlement, isRepeated: boolean): Promise<boolean> {
    const { recorded, now } = settlement;
    if (!this.#isPacked(run) || recorded.deviceIds.length === 0) return this.#settle(run.key, settlement);
    const isHeld = await this.pages.flushPacked(run.key, recorded, now, isRepeated);
    return isHeld && this.#settle(run.key, { ...settlement, recorded: NOTHING });
  }

  /**
   * Deliveries of a second attempt, and deliveries to named users, keep rows of their own, because each has details of
   * its own.
   */
  #isPacked({ page: { lane, attempt } }: PageRun): boolean {
    return this.config.packDeliveries && lane === 'campaign' && attempt === 1;
  }

  async #settle(page: LeasedPage, settlement: Settlement): Promise<boolean> {
    const ending = { page, settlement };
    const needsEvent = await this.subscribed.has(page.appId, 'delivery.failed');
    const batches = needsEvent ? this.#endingsWithEvents : this.#endings;
    if (isForBatch(ending, needsEvent) && (await batches.add(ending))) return true;
    return needsEvent ? this.#settleWithEvent(ending) : this.pages.settle(this.database, page, settlement);
  }

  #settleWithEvent(ending: PageEnding): Promise<boolean> {
    const { page, settlement } = ending;
    return inTransaction(this.database, async (executor) => {
      const deviceIds = await this.pages.lockDevices(executor, page);
      const isSettled = await this.pages.settle(executor, page, settlement);
      if (isSettled) await this.#recordFailed(executor, [{ ending, deviceIds }]);
      return isSettled;
    });
  }

  #recordFailed(executor: Executor, pages: readonly EndedPage[]): Promise<void> {
    const ended = pages.map(({ ending: { page, settlement }, deviceIds }) => ({
      appId: page.appId,
      messageId: page.messageId,
      deviceIds: endedAmong(deviceIds, settlement),
    }));
    return this.events.recordFailedDeliveries(executor, ended);
  }
}

function endingBatches(settle: (endings: PageEnding[]) => Promise<boolean[]>): Batcher<PageEnding, boolean> {
  return new Batcher({
    work: settle,
    sizeOf: ({ settlement }) => Math.max(1, settlement.recorded.deviceIds.length),
    apartMs: ENDS_APART_MS,
    // If the connection is lost, it is unknown what was written.
    splitsOn: (error) => !isDatabaseUnavailable(error),
  });
}

/**
 * True if an ending may be written with others. Not that of a page that goes on and has a webhook for failures: its
 * devices must be read before its end is written.
 */
function isForBatch({ settlement: { recorded, remainder } }: PageEnding, needsEvent: boolean): boolean {
  return recorded.deviceIds.length <= FEW_OUTCOMES && !(needsEvent && remainder !== null);
}

/** Returns the devices that this page is done with: neither left over nor to be tried again. */
function endedAmong(deviceIds: readonly DeviceId[], { retries, remainder }: Settlement): DeviceId[] {
  const open = new Set([...(remainder?.deviceIds ?? []), ...retries.flatMap((retry) => retry.deviceIds)]);
  return deviceIds.filter((id) => !open.has(id));
}
