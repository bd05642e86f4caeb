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
