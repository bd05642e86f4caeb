import { deliveryColumns, recordDeliveries, type RecordedDeliveries } from '../deliveries/recorded-deliveries';
import type { Executor } from '../database/executor';
import { preparedRows } from '../database/prepared-rows';
import type { PageKey } from './claim-page.query';

/** A page as its owner holds it. */
export interface HeldPage extends PageKey {
  /** From the claim. Writes count only while it is still the page's. */
  fence: number;
  /** Devices that keep the message for their own connection as well. Left out: none. */
  inboxDeviceIds?: readonly number[];
}

/**
 * Records outcomes of a page that goes on. Safe to repeat. A page whose lease is over is still the caller's as long as nobody
 * else claimed it.
 *
 * @returns false when the page is no longer the caller's; nothing was written then
 */
export async function flushPage(
  executor: Executor,
  page: HeldPage,
  recorded: RecordedDeliveries,
  now: Date,
): Promise<boolean> {
  const answer = await preparedRows(executor, FLUSH_PAGE, [
    page.appId,
    page.messageId,
    page.pageId,
    page.fence,
    now,
    ...deliveryColumns(recorded),
    recorded.promoCodes ?? null,
    page.inboxDeviceIds ?? null,
  ]);
  return answer.length > 0;
}

/** The lock on the page's row makes a new claim wait, so that it sees what is recorded here. */
const FLUSH_PAGE = `
  WITH held AS (
    SELECT vendor, attempt FROM pages
    WHERE app_id = $1 AND message_id = $2 AND id = $3 AND fence = $4 AND leased_by IS NOT NULL
    FOR NO KEY UPDATE
  ), recorded AS (${recordDeliveries('$13', '$14')})
  SELECT 1 FROM held`;
