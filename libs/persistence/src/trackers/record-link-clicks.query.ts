import type { Executor } from '../database/executor';
import { preparedRows } from '../database/prepared-rows';
import { nameKey, PLATFORM_SQL } from '../receipts/record-device-receipts.query';

/** A click on a tracked link of a message. */
export interface LinkClick {
  appId: string;
  messageId: string;
  /** Null: the device was removed since. */
  deviceId: string | null;
  link: string;
  at: Date;
}

/** Counts every click on tracked links, also a second one of the same device, and those of devices that were removed. Of unknown deliveries: nothing. */
export async function countLinkClicks(executor: Executor, clicks: readonly LinkClick[]): Promise<void> {
  await preparedRows(executor, COUNT_LINK_CLICKS, [
    clicks.map(({ appId }) => appId),
    clicks.map(({ messageId }) => messageId),
    clicks.map(({ deviceId }) => deviceId),
    clicks.map(({ link }) => link),
    clicks.map(({ link }) => nameKey(link)),
    clicks.map(({ at }) => at),
  ]);
}

const COUNT_LINK_CLICKS = `
  INSERT INTO message_counts AS m (app_id, message_id, kind, name_key, hour, platform, name, count)
  SELECT c.app_id, c.message_id, 'click', c.name_key, date_trunc('hour', c.at, 'UTC'), coalesce(i.platform, 'other'), min(c.link),
    count(*)
  FROM unnest($1::text[], $2::uuid[], $3::bigint[], $4::text[], $5::bytea[], $6::timestamptz[])
    AS c (app_id, message_id, device_id, link, name_key, at)
  LEFT JOIN LATERAL (
    SELECT ${PLATFORM_SQL} AS platform FROM installations i WHERE i.app_id = c.app_id AND i.id = c.device_id LIMIT 1
  ) i ON true
  WHERE CASE WHEN c.device_id IS NULL THEN EXISTS (
    SELECT 1 FROM messages m WHERE m.app_id = c.app_id AND m.id = c.message_id
  ) ELSE EXISTS (
    SELECT 1 FROM deliveries d WHERE d.app_id = c.app_id AND d.message_id = c.message_id AND d.device_id = c.device_id
  ) END
  GROUP BY 1, 2, 4, 5, 6 ORDER BY 1, 2, 4, 5, 6
  ON CONFLICT (app_id, message_id, kind, name_key, hour, platform) DO UPDATE SET count = m.count + excluded.count`;
