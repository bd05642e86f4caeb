import { type Executor, rows } from '../database/executor';
import { PLATFORM_SQL } from './record-device-receipts.query';

/** Something bought, or done that is worth money. */
export interface Conversion {
  name: string;
  /** By the device's clock, which may run ahead of ours: with the name it says which event this is. */
  reportedAt: Date;
  amount: number;
  currency: string | null;
}

/**
 * Records conversions of a device for the message that it opened last before each, within the application's window; those
 * that no open message precedes are passed by. One with the same name and time is the same, whichever message it would be
 * counted for by now, and is counted no later than now. The caller keeps two reports of one device apart.
 */
export async function recordConversions(
  executor: Executor,
  { appId, deviceId }: { appId: string; deviceId: string },
  conversions: readonly Conversion[],
  now: Date,
): Promise<void> {
  await rows(executor, RECORD_CONVERSIONS, [
    appId,
    deviceId,
    conversions.map(({ name }) => name),
    conversions.map(({ reportedAt }) => (reportedAt < LAST_TIME ? reportedAt : LAST_TIME)),
    conversions.map(({ amount }) => amount),
    conversions.map(({ currency }) => currency),
    now,
  ]);
}

/** What a device's clock may say at the most: years of more digits are written in another way. */
const LAST_TIME = new Date('9999-12-31T23:59:59Z');

const RECORD_CONVERSIONS = `
  WITH made AS (
    INSERT INTO conversions (app_id, message_id, device_id, at, name, revenue, currency)
    SELECT $1, d.message_id, $2::bigint, e.at, e.name, e.revenue, e.currency
    FROM (
      SELECT name, at, least(at, $7::timestamptz) AS counted_at, revenue, currency
      FROM unnest($3::text[], $4::timestamptz[], $5::numeric[], $6::text[]) AS e (name, at, revenue, currency)
    ) e
    CROSS JOIN LATERAL (
      SELECT d.message_id FROM deliveries d
      WHERE d.app_id = $1 AND d.device_id = $2::bigint AND d.opened_at <= e.counted_at
        AND d.opened_at >= e.counted_at - (SELECT conversion_window_hours * interval '1 hour' FROM applications WHERE app_id = $1)
      ORDER BY d.opened_at DESC, d.message_id DESC LIMIT 1
    ) d
    WHERE NOT EXISTS (
      SELECT FROM deliveries o JOIN conversions c ON c.app_id = o.app_id AND c.message_id = o.message_id
        AND c.device_id = o.device_id AND c.at = e.at AND c.name = e.name
      WHERE o.app_id = $1 AND o.device_id = $2::bigint AND o.opened_at IS NOT NULL
    )
    ON CONFLICT DO NOTHING
    RETURNING message_id, at, revenue, currency
  )
  INSERT INTO message_counts AS m (app_id, message_id, kind, name_key, hour, platform, name, count, amount)
  SELECT $1, message_id, 'conversion', convert_to(coalesce(currency, ''), 'UTF8'), date_trunc('hour', least(at, $7), 'UTC'), coalesce((
      SELECT ${PLATFORM_SQL} FROM installations i WHERE i.app_id = $1 AND i.id = $2::bigint
    ), 'other'), min(currency), count(*), sum(revenue)
  FROM made GROUP BY 2, 4, 5 ORDER BY 2, 4, 5
  ON CONFLICT (app_id, message_id, kind, name_key, hour, platform) DO UPDATE
  SET count = m.count + excluded.count, amount = m.amount + excluded.amount`;
