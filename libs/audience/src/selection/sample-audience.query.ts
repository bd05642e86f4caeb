import type { DeliveryVendor } from '@postrider/domain';
import { type Executor, parameter, rows, sql } from '@postrider/persistence';
import type { AudienceSelection } from './audience-selection';
import { compileMembership } from './membership-sql';
import { RoutingSql } from './routing-sql';

/** One device that a message would be sent to. */
export interface SampledDevice {
  installationId: string;
  userId: string;
  vendor: DeliveryVendor;
}

/** Gives some of the reachable devices of an audience, at most `limit`. Reads only. */
export async function sampleAudience(
  executor: Executor,
  selection: AudienceSelection,
  limit: number,
): Promise<SampledDevice[]> {
  const app = parameter(selection.appId);
  const routing = new RoutingSql(selection.reach, app);
  const membership = compileMembership(selection, app);
  return rows<SampledDevice>(
    executor,
    sql`SELECT i.installation_id AS "installationId", i.user_id AS "userId", ${routing.vendor} AS vendor
     FROM installations i ${routing.join} ${membership.join}
     WHERE ${membership.condition} AND ${routing.isReachable}
     LIMIT ${limit}`,
  );
}
