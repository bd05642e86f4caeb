import type { DeliveryVendor, DeviceId, UnroutableReason } from '@postrider/domain';
import { type Executor, parameter, rows, sql } from '@postrider/persistence';
import { RoutingSql } from './routing-sql';

/** How a message would reach a device now, or why it would not. */
interface DeviceRoute {
  deviceId: DeviceId;
  /** Null: it would not. */
  vendor: DeliveryVendor | null;
  /** Null if it would. */
  reason: UnroutableReason | null;
}

/** Returns how a message would reach some devices, by the rules of acceptance and sending. Reads only. */
export async function routeDevices(
  executor: Executor,
  appId: string,
  deviceIds: readonly DeviceId[],
): Promise<DeviceRoute[]> {
  const app = parameter(appId);
  const routing = new RoutingSql('any', app, null);
  return rows<DeviceRoute>(
    executor,
    sql`SELECT "deviceId", vendor, CASE WHEN vendor IS NULL THEN reason END AS reason FROM (
          SELECT i.id::text AS "deviceId", ${routing.vendor} AS vendor, ${routing.reason} AS reason
          FROM installations i ${routing.join}
          WHERE i.app_id = ${app} AND i.id = ANY (${deviceIds}::bigint[])
        ) routed`,
  );
}
