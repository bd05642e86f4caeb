import { Inject, Injectable } from '@nestjs/common';
import {
  type Database,
  DATABASE,
  type HeldPage,
  inTransaction,
  PagesRepository,
  type RecordedDeliveries,
  type Settlement,
  WebhookEventsRepository,
} from '@postrider/persistence';
import { SubscribedEvents } from '../webhooks/subscribed-events';

/**
 * Writes what came of pages. Where a webhook asks for `delivery.failed`, the devices that the page is done with and failed to reach go
 * into one event, in the same transaction. Each device is told of once, whoever worked on the page before. An application
 * without such a webhook pays nothing.
 */
@Injectable()
export class WritePages {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly pages: PagesRepository,
    private readonly events: WebhookEventsRepository,
    private readonly subscribed: SubscribedEvents,
  ) {}

  /** Records outcomes of a page that goes on. @returns false when the page is no longer the caller's */
  async flush(page: HeldPage, recorded: RecordedDeliveries, now: Date): Promise<boolean> {
    return this.pages.flush(page, recorded, now);
  }

  /** Ends a page, or gives back what is left of it. @returns false when the page is no longer the caller's */
  async settle(page: HeldPage, settlement: Settlement): Promise<boolean> {
    if (!(await this.subscribed.has(page.appId, 'delivery.failed')))
      return this.pages.settle(this.database, page, settlement);
    return inTransaction(this.database, async (executor) => {
      const deviceIds = await this.pages.lockDevices(executor, page);
      const isSettled = await this.pages.settle(executor, page, settlement);
      if (isSettled) await this.events.recordFailedDeliveries(executor, page, endedAmong(deviceIds, settlement));
      return isSettled;
    });
  }
}

/** The devices that nothing more is tried for, as far as the page is concerned. */
function endedAmong(deviceIds: readonly number[], { retries, remainder }: Settlement): number[] {
  const open = new Set([...(remainder?.deviceIds ?? []), ...retries.flatMap((retry) => retry.deviceIds)]);
  return deviceIds.filter((id) => !open.has(id));
}
