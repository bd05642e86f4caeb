import type { DeliveryVendor } from '@postrider/domain';
import { type Executor, rows } from '@postrider/persistence';
import { SqlParameters } from '../sql/sql-parameters';
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
  const parameters = new SqlParameters([selection.appId]);
  const routing = new RoutingSql(selection.reach, '$1', parameters);
  const membership = compileMembership(selection, '$1', parameters);
  const groups = await rows<{ vendor: DeliveryVendor; devices: number }>(
    executor,
    `SELECT ${routing.vendor} AS vendor, count(*)::integer AS devices
     FROM installations i ${routing.join} ${membership.join}
     WHERE ${membership.condition}
     GROUP BY 1`,
    parameters.values,
  );
  const reached = groups.filter(({ vendor }) => vendor !== null);
  return {
    count: reached.reduce((sum, { devices }) => sum + devices, 0),
    byVendor: Object.fromEntries(reached.map(({ vendor, devices }) => [vendor, devices])),
  };
}
