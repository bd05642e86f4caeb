import { type Executor, rows } from '../database/executor';
import type { PageKey } from '../pages/page-key';

/** The time zones that a page's devices say they are in; null for those that do not say. */
export async function readPageZones(
  executor: Executor,
  { appId, messageId, pageId }: PageKey,
): Promise<(string | null)[]> {
  const zones = await rows<{ zone: string | null }>(
    executor,
    `SELECT DISTINCT (SELECT i.time_zone FROM installations i WHERE i.app_id = $1 AND i.id = device.id) AS zone
     FROM pages p CROSS JOIN LATERAL unnest(p.device_ids) AS device (id)
     WHERE p.app_id = $1 AND p.message_id = $2 AND p.id = $3`,
    [appId, messageId, pageId],
  );
  return zones.map(({ zone }) => zone);
}
