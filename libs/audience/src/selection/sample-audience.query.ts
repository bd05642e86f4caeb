import type { DeliveryVendor } from '@postrider/domain';
import { type Executor, rows } from '@postrider/persistence';
import { SqlParameters } from '../sql/sql-parameters';
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
  const parameters = new SqlParameters([selection.appId, limit]);
  const routing = new RoutingSql(selection.reach, '$1', parameters);
  const membership = compileMembership(selection, '$1', parameters);
  return rows<SampledDevice>(
    executor,
    `SELECT i.installation_id AS "installationId", i.user_id AS "userId", ${routing.vendor} AS vendor
     FROM installations i ${routing.join} ${membership.join}
     WHERE ${membership.condition} AND ${routing.isReachable}
     LIMIT $2`,
    parameters.values,
  );
}
