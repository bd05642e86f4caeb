import { Inject, Injectable } from '@nestjs/common';
import type { DeviceId } from '@postrider/domain';
import {
  type Database,
  DATABASE,
  type EndedPage,
  type Executor,
  inTransaction,
  isDatabaseUnavailable,
  type LeasedPage,
  noOutcomes,
  type PageEnding,
  PagesRepository,
  type RecordedDeliveries,
  type Settlement,
  WebhookEventsRepository,
  type WithEndings,
} from '@postrider/persistence';
import { Batcher, CONFIG, type Config } from '@postrider/platform';
import { SubscribedEvents } from '../../webhooks/subscribed-events';
import type { PageRun } from '../run/page-run';

/** If a page has more outcomes than this, its end gets a statement of its own. */
const FEW_OUTCOMES = 50;
/**
 * A busy worker writes the ends of small pages in intervals of this length, so that few statements write the ends of
 * many.
 */
const ENDS_APART_MS = 10;
/**
 * The same after a batch of so many ends: a statement costs PostgreSQL as much as twenty of the ends in it. A page keeps its place
 * in the worker until its end is written, so this is no longer.
 */
const BUSY = { items: 5, apartMs: 15 };

/** Two ways to write the ends of small pages together. */
interface EndingBatches {
  /** Leaves out pages whose rows are locked. */
  free: Batcher<PageEnding, boolean>;
  /**
   * For those that were left out: waits for their rows. The worker itself locks all of its pages when it renews their leases, and
   * on a busy PostgreSQL that takes long.
   */
  leftOut: Batcher<PageEnding, boolean>;
}

/**
 * Writes the outcomes of pages into the ledger. If a webhook asks for `delivery.failed`, the devices that the page is
 * done with and failed to reach go into one event, in the transaction of the page's end. The events name each device
 * once, whichever workers had the page before. For an application without such a webhook this costs nothing. One
 * statement ends the small pages that end at the same moment; each of them succeeds or fails independently.
 */
@Injectable()
export class DeliveryStore {
  readonly #endings: EndingBatches;
  /** The endings of pages whose application has a webhook for failed deliveries. */
  readonly #endingsWithEvents: EndingBatches;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly pages: PagesRepository,
    private readonly events: WebhookEventsRepository,
    private readonly subscribed: SubscribedEvents,
    @Inject(CONFIG) private readonly config: Pick<Config, 'packDeliveries'>,
  ) {
    this.#endings = this.#batches();
    this.#endingsWithEvents = this.#batches((executor, ended) => this.#recordFailed(executor, ended));
  }

  #batches(also?: WithEndings): EndingBatches {
    return {
      free: endingBatches((endings) => this.pages.settleMany(endings, also)),
      leftOut: endingBatches((endings) => this.pages.settleMany(endings, also, 'waits')),
    };
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
    if (!this.#isPacked(run) || isWrittenWithEnd(run, recorded, isRepeated)) return this.#settle(run.key, settlement);
    const isHeld = await this.pages.flushPacked(run.key, recorded, now, isRepeated);
    return isHeld && this.#settle(run.key, { ...settlement, recorded: noOutcomes() });
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
    if (settlement.recorded.deviceIds.length <= FEW_OUTCOMES) {
      const { free, leftOut } = needsEvent ? this.#endingsWithEvents : this.#endings;
      return (await free.add(ending)) || (await leftOut.add(ending));
    }
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

/** Makes batches of the ends of pages. */
export function endingBatches(settle: (endings: PageEnding[]) => Promise<boolean[]>): Batcher<PageEnding, boolean> {
  return new Batcher({
    work: settle,
    sizeOf: ({ settlement }) => Math.max(1, settlement.recorded.deviceIds.length),
    apartMs: ENDS_APART_MS,
    busy: BUSY,
    // If the connection is lost, it is unknown what was written.
    splitsOn: (error) => !isDatabaseUnavailable(error),
  });
}

/**
 * True if there is nothing to pack; or so little that a worker that stops, and gives all of its pages back, writes it as rows,
 * together with the ends of other pages: each pack is a transaction of its own.
 */
function isWrittenWithEnd({ stopCause }: PageRun, { deviceIds }: RecordedDeliveries, isRepeated: boolean): boolean {
  return deviceIds.length === 0 || (stopCause === 'stopping' && !isRepeated && deviceIds.length <= FEW_OUTCOMES);
}

/** Returns the devices that this page is done with: neither left over nor to be tried again. */
function endedAmong(deviceIds: readonly DeviceId[], { retries, remainder }: Settlement): DeviceId[] {
  const open = new Set([...(remainder?.deviceIds ?? []), ...retries.flatMap((retry) => retry.deviceIds)]);
  return deviceIds.filter((id) => !open.has(id));
}
