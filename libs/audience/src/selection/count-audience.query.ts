import type { DeliveryVendor } from '@postrider/domain';
import { type Executor, parameter, rows, sql } from '@postrider/persistence';
import type { AudienceSelection, DevicesByVendor } from './audience-selection';
import { compileMembership } from './membership-sql';
import { RoutingSql } from './routing-sql';

/** How many devices a message would be sent to, in all and by the way they would be reached. */
export interface AudienceCount {
  count: number;
  byVendor: DevicesByVendor;
}

/** Counts the reachable devices of an audience by vendor. Reads only. */
export async function countAudience(executor: Executor, selection: AudienceSelection): Promise<AudienceCount> {
  const app = parameter(selection.appId);
  const routing = new RoutingSql(selection.reach, app);
  const membership = compileMembership(selection, app);
  const groups = await rows<{ vendor: DeliveryVendor; devices: number }>(
    executor,
    sql`SELECT ${routing.vendor} AS vendor, count(*)::integer AS devices
     FROM installations i ${routing.join} ${membership.join}
     WHERE ${membership.condition}
     GROUP BY 1`,
  );
  const reached = groups.filter(({ vendor }) => vendor !== null);
  return {
    count: reached.reduce((sum, { devices }) => sum + devices, 0),
    byVendor: Object.fromEntries(reached.map(({ vendor, devices }) => [vendor, devices])),
  };
}
