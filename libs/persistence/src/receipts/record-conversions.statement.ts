import { parameter, type Sql, sql } from '../sql';
import { countedPlatform } from '../statistics/message-count-key';

/** Something bought, or done that is worth money. */
export interface Conversion {
  name: string;
  /** By the device's clock, which may run ahead of ours: with the name it says which event this is. */
  reportedAt: Date;
  amount: number;
  currency: string | null;
}

/** What a device's clock may say at the most: years of more digits are written in another way. */
const LAST_TIME = new Date('9999-12-31T23:59:59Z');

/**
 * Records conversions of a device for the message that it opened last before each, within the application's window; those
 * that no open message precedes are passed by. One with the same name and time is the same, whichever message it would be
 * counted for by now, and is counted no later than now. The caller keeps two reports of one device apart.
 */
export function recordConversionsStatement(
  { appId, deviceId }: { appId: string; deviceId: string },
  conversions: readonly Conversion[],
  now: Date,
): Sql {
  const [app, device, moment] = [parameter(appId), parameter(deviceId, 'bigint'), parameter(now, 'timestamptz')];
  return sql`
  WITH made AS (
    INSERT INTO conversions (app_id, message_id, device_id, at, name, revenue, currency)
    SELECT ${app}, d.message_id, ${device}, e.at, e.name, e.revenue, e.currency
    FROM (
      SELECT name, at, least(at, ${moment}) AS counted_at, revenue, currency
      FROM unnest(
          ${conversions.map(({ name }) => name)}::text[],
          ${conversions.map(({ reportedAt }) => (reportedAt < LAST_TIME ? reportedAt : LAST_TIME))}::timestamptz[],
          ${conversions.map(({ amount }) => amount)}::numeric[],
          ${conversions.map(({ currency }) => currency)}::text[]
        ) AS e (name, at, revenue, currency)
    ) e
    CROSS JOIN LATERAL (
      SELECT d.message_id FROM deliveries d
      WHERE d.app_id = ${app} AND d.device_id = ${device} AND d.opened_at <= e.counted_at
        AND d.opened_at >= e.counted_at - (SELECT conversion_window_hours * interval '1 hour' FROM applications WHERE app_id = ${app})
      ORDER BY d.opened_at DESC, d.message_id DESC LIMIT 1
    ) d
    WHERE NOT EXISTS (
      SELECT FROM deliveries o JOIN conversions c ON c.app_id = o.app_id AND c.message_id = o.message_id
        AND c.device_id = o.device_id AND c.at = e.at AND c.name = e.name
      WHERE o.app_id = ${app} AND o.device_id = ${device} AND o.opened_at IS NOT NULL
    )
    ON CONFLICT DO NOTHING
    RETURNING message_id, at, revenue, currency
  )
  INSERT INTO message_counts AS m (app_id, message_id, kind, name_key, hour, platform, name, count, amount)
  SELECT ${app}, message_id, 'conversion', convert_to(coalesce(currency, ''), 'UTF8'), date_trunc('hour', least(at, ${moment}), 'UTC'), coalesce((
      SELECT ${countedPlatform(sql`i.device_type`)} FROM installations i WHERE i.app_id = ${app} AND i.id = ${device}
    ), 'other'), min(currency), count(*), sum(revenue)
  FROM made GROUP BY 2, 4, 5 ORDER BY 2, 4, 5
  ON CONFLICT (app_id, message_id, kind, name_key, hour, platform) DO UPDATE
  SET count = m.count + excluded.count, amount = m.amount + excluded.amount`;
}
