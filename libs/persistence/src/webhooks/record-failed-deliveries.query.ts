import { type Executor, rows } from '../database/executor';
import type { PageKey } from '../pages/claim-page.query';

/**
 * The ids of the devices on a page, locked until the transaction ends: what `recordFailedDeliveries` looks among. To be asked
 * before the page is settled.
 */
export async function lockPageDevices(executor: Executor, { appId, messageId, pageId }: PageKey): Promise<number[]> {
  const [page] = await rows<{ ids: number[] }>(
    executor,
    `SELECT to_json(device_ids) AS ids FROM pages WHERE app_id = $1 AND message_id = $2 AND id = $3 FOR NO KEY UPDATE`,
    [appId, messageId, pageId],
  );
  return page?.ids ?? [];
}
