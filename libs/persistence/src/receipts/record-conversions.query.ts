import { type Executor, rows } from '../database/executor';
import { PLATFORM_SQL } from './record-device-receipts.query';

/** Something bought, or done that is worth money. */
export interface Conversion {
  name: string;
  at: Date;
  amount: number;
  currency: string | null;
}

/**
 * Records conversions of a device for the message that it opened last before each, within the application's window; those
 * that no open message precedes are passed by. One with the same name and time is the same.
 */
export async function recordConversions(
  executor: Executor,
  appId: string,
  deviceId: string,
  conversions: readonly Conversion[],
): Promise<void> {
  await rows(executor, RECORD_CONVERSIONS, [
    appId,
    deviceId,
    conversions.map(({ name }) => name),
    conversions.map(({ at }) => at),
    conversions.map(({ amount }) => amount),
    conversions.map(({ currency }) => currency),
  ]);
}

const RECORD_CONVERSIONS = `
  WITH made AS (
    INSERT INTO conversions (app_id, message_id, device_id, at, name, revenue, currency)
    SELECT $1, d.message_id, $2::bigint, e.at, e.name, e.revenue, e.currency
    FROM unnest($3::text[], $4::timestamptz[], $5::numeric[], $6::text[]) AS e (name, at, revenue, currency)
    CROSS JOIN LATERAL (
      SELECT d.message_id FROM deliveries d
      WHERE d.app_id = $1 AND d.device_id = $2::bigint AND d.opened_at <= e.at
        AND d.opened_at >= e.at - (SELECT conversion_window_hours * interval '1 hour' FROM applications WHERE app_id = $1)
      ORDER BY d.opened_at DESC, d.message_id DESC LIMIT 1
    ) d
    ON CONFLICT DO NOTHING
    RETURNING message_id, at, revenue, currency
  )
  INSERT INTO message_counts AS m (app_id, message_id, kind, name_key, hour, platform, name, count, amount)
  SELECT $1, message_id, 'conversion', convert_to(coalesce(currency, ''), 'UTF8'), date_trunc('hour', at, 'UTC'), coalesce((
      SELECT ${PLATFORM_SQL} FROM installations i WHERE i.app_id = $1 AND i.id = $2::bigint
    ), 'other'), min(currency), count(*), sum(revenue)
  FROM made GROUP BY 2, 4, 5 ORDER BY 2, 4, 5
  ON CONFLICT (app_id, message_id, kind, name_key, hour, platform) DO UPDATE
  SET count = m.count + excluded.count, amount = m.amount + excluded.amount`;
