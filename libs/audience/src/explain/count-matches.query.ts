import { type Executor, rows } from '@postrider/persistence';
import type { AudienceSelection } from '../selection/audience-selection';
import { compileMembership } from '../selection/membership-sql';
import { RoutingSql } from '../selection/routing-sql';
import { SqlParameters } from '../sql/sql-parameters';

/** How many devices an audience has. */
export interface MatchCount {
  /** Those that a message would be sent to. */
  count: number;
  /** All of them. */
  devices: number;
}

/** Counts an audience's devices, and those of them that can be reached, as acceptance counts them. Reads only. */
export async function countMatches(executor: Executor, selection: AudienceSelection): Promise<MatchCount> {
  const parameters = new SqlParameters([selection.appId]);
  const { isReachable } = new RoutingSql(selection.reach, '$1', parameters);
  const membership = compileMembership(selection, '$1', parameters);
  const [counted] = await rows<MatchCount>(
    executor,
    `SELECT count(*) FILTER (WHERE ${isReachable})::int AS count, count(*)::int AS devices
     FROM installations i ${membership.join}
     WHERE ${membership.condition}`,
    parameters.values,
  );
  return counted ?? { count: 0, devices: 0 };
}

/** Counts the users that an audience's devices belong to. Grouping is what PostgreSQL can do on several cores. */
export async function countUsers(executor: Executor, selection: AudienceSelection): Promise<number> {
  const parameters = new SqlParameters([selection.appId]);
  const membership = compileMembership(selection, '$1', parameters);
  const [counted] = await rows<{ users: number }>(
    executor,
    `SELECT count(*)::int AS users FROM (
       SELECT 1 FROM installations i ${membership.join} WHERE ${membership.condition} GROUP BY i.user_id
     ) owners`,
    parameters.values,
  );
  return counted?.users ?? 0;
}
