import { type Executor, parameter, rows, sql } from '@postrider/persistence';
import type { AudienceSelection } from './audience-selection';
import { compileMembership } from './membership-sql';
import { RoutingSql } from './routing-sql';

/** The size of an audience at one moment. */
export interface AudienceMeasure {
  /** Reachable devices. */
  count: number;
  /** The last `installations.id` there was: devices beyond it registered later. */
  ceiling: string;
}

/** Counts the reachable devices of an audience, as fast as the predicate allows. Reads only. */
export async function measureAudience(executor: Executor, selection: AudienceSelection): Promise<AudienceMeasure> {
  const app = parameter(selection.appId);
  const { isReachable } = new RoutingSql(selection.reach, app);
  const membership = compileMembership(selection, app);
  const [measured] = await rows<AudienceMeasure>(
    executor,
    sql`SELECT count(*)::integer AS count,
       (SELECT coalesce(max(last.id), 0) FROM installations last WHERE last.app_id = ${app})::text AS ceiling
     FROM installations i ${membership.join}
     WHERE ${membership.condition} AND ${isReachable}`,
  );
  if (!measured) throw new Error('A count gave no row');
  return measured;
}
