import { type Parameter, type Sql, sql } from '../sql';
import { countedPlatform } from '../statistics/message-count-key';

/**
 * The message that a device opened last before a conversion, within the application's window, as one row or none:
 * `message_id`, `device_id`, `opened_at`.
 */
export const lastOpened = (app: Parameter, device: Sql, at: Sql): Sql => sql`
    SELECT d.message_id, d.device_id, d.opened_at FROM deliveries d
    WHERE d.app_id = ${app} AND d.device_id = ${device} AND d.opened_at <= ${at}
      AND d.opened_at >= ${at} - (SELECT conversion_window_hours * interval '1 hour' FROM applications WHERE app_id = ${app})
    ORDER BY d.opened_at DESC, d.message_id DESC LIMIT 1`;

/**
 * Counts conversions by message, currency, hour and platform.
 *
 * @param made their rows: `message_id`, `device_id`, `counted_at`, `revenue`, `currency`
 */
export const countConversions = (app: Parameter, made: Sql): Sql => sql`
  INSERT INTO message_counts AS m (app_id, message_id, kind, name_key, hour, platform, name, count, amount)
  SELECT ${app}, message_id, 'conversion', convert_to(coalesce(currency, ''), 'UTF8'), date_trunc('hour', counted_at, 'UTC'),
    coalesce((
      SELECT ${countedPlatform(sql`i.device_type`)} FROM installations i WHERE i.app_id = ${app} AND i.id = made.device_id
    ), 'other'), min(currency), count(*), sum(revenue)
  FROM ${made} made GROUP BY 2, 4, 5, 6 ORDER BY 2, 4, 5, 6
  ON CONFLICT (app_id, message_id, kind, name_key, hour, platform) DO UPDATE
  SET count = m.count + excluded.count, amount = m.amount + excluded.amount`;
