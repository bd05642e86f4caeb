import {
  type Database,
  type HeldPage,
  inTransaction,
  lockPageDevices,
  recordFailedDeliveries,
  settlePage,
  type Settlement,
} from '@postrider/persistence';
import type { SubscribedEvents } from './subscribed-events';

/**
 * Settles pages; where a webhook asks for `delivery.failed`, the devices that the page is done with and failed to reach go
 * into one event, in the same transaction. Each device is told of once, whoever worked on the page before. An application
 * without such a webhook pays nothing.
 */
export function settleWithEvents(
  database: Database,
  subscribed: SubscribedEvents,
): (page: HeldPage, settlement: Settlement) => Promise<boolean> {
  return async (page, settlement) => {
    if (!(await subscribed.has(page.appId, 'delivery.failed'))) return settlePage(database, page, settlement);
    return inTransaction(database, async (executor) => {
      const deviceIds = await lockPageDevices(executor, page);
      const isSettled = await settlePage(executor, page, settlement);
      if (isSettled) await recordFailedDeliveries(executor, page, endedAmong(deviceIds, settlement));
      return isSettled;
    });
  };
}

/** The devices that nothing more is tried for, as far as the page is concerned. */
function endedAmong(deviceIds: readonly number[], { retries, remainder }: Settlement): number[] {
  const open = new Set([...(remainder?.deviceIds ?? []), ...retries.flatMap((retry) => retry.deviceIds)]);
  return deviceIds.filter((id) => !open.has(id));
}
