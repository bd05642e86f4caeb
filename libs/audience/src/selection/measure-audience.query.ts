import { type Executor, rows } from '@postrider/persistence';
import { SqlParameters } from '../sql/sql-parameters';
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
  const parameters = new SqlParameters([selection.appId]);
  const { isReachable } = new RoutingSql(selection.reach, '$1', parameters);
  const membership = compileMembership(selection, '$1', parameters);
  const [measured] = await rows<AudienceMeasure>(
    executor,
    `SELECT count(*)::integer AS count,
       (SELECT coalesce(max(last.id), 0) FROM installations last WHERE last.app_id = $1)::text AS ceiling
     FROM installations i ${membership.join}
     WHERE ${membership.condition} AND ${isReachable}`,
    parameters.values,
  );
  if (!measured) throw new Error('A count gave no row');
  return measured;
}
