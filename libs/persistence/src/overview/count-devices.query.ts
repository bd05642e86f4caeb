import { type Executor, rows } from '../database/executor';
import { isProvedIn } from '../devices/user-proof';

/** How many installations of one device type an application has, and how many of them a message could reach. */
export interface DeviceCount {
  /** Null: the device did not say. */
  deviceType: string | null;
  total: number;
  reachable: number;
}

/**
 * Counts all installations of an application by device type. Reachable: over its own connection, or with a usable token of
 * a vendor whose credentials the application has, and with its user proved where the application requires that. Looks at every installation: not for every page view.
 */
export async function countDevices(executor: Executor, appId: string): Promise<DeviceCount[]> {
  return rows<DeviceCount>(
    executor,
    `SELECT device_type AS "deviceType", count(*)::float8 AS total,
       count(*) FILTER (WHERE ${isProvedIn('$1', 'installations')} AND (uses_connection OR usable_vendor = ANY (ARRAY(
         SELECT vendor FROM vendor_credentials WHERE app_id = $1))))::float8 AS reachable
     FROM installations WHERE app_id = $1 GROUP BY device_type ORDER BY total DESC`,
    [appId],
  );
}
