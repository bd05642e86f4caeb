import { type Executor, parameter, rows, sql } from '@postrider/persistence';
import type { AudienceSelection } from '../selection/audience-selection';
import { compileMembership } from '../selection/membership-sql';
import { RoutingSql } from '../selection/routing-sql';

/** How many devices an audience has. */
export interface MatchCount {
  /** Those that a message would be sent to. */
  count: number;
  /** All of them. */
  devices: number;
}

/** Counts an audience's devices, and those of them that can be reached, as acceptance counts them. Reads only. */
export async function countMatches(executor: Executor, selection: AudienceSelection): Promise<MatchCount> {
  const app = parameter(selection.appId);
  const { isReachable } = new RoutingSql(selection.reach, app);
  const membership = compileMembership(selection, app);
  const [counted] = await rows<MatchCount>(
    executor,
    sql`SELECT count(*) FILTER (WHERE ${isReachable})::int AS count, count(*)::int AS devices
     FROM installations i ${membership.join}
     WHERE ${membership.condition}`,
  );
  return counted ?? { count: 0, devices: 0 };
}

/** Counts the users that an audience's devices belong to. Grouping is what PostgreSQL can do on several cores. */
export async function countUsers(executor: Executor, selection: AudienceSelection): Promise<number> {
  const app = parameter(selection.appId);
  const membership = compileMembership(selection, app);
  const [counted] = await rows<{ users: number }>(
    executor,
    sql`SELECT count(*)::int AS users FROM (
       SELECT 1 FROM installations i ${membership.join} WHERE ${membership.condition} GROUP BY i.user_id
     ) owners`,
  );
  return counted?.users ?? 0;
}
