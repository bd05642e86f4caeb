import { type Executor, rows } from '../database/executor';
import { type CountedMessages, type CountedTime, countedSql } from './counted-messages';

/** What has a name among the counts of a message: its actions, its links, the currencies of its conversions. */
export type NamedCounts = 'actions' | 'links' | 'revenue';

const KINDS: Record<NamedCounts, { first: string; second: string | null }> = {
  actions: { first: 'action', second: null },
  links: { first: 'link', second: 'click' },
  revenue: { first: 'conversion', second: null },
};

/** One name, and what was counted under it. */
export interface RankedName {
  name: string | null;
  /** Devices that chose it; conversions. */
  count: number;
  /** Of a link: every click. */
  clicks: number;
  /** Revenue, of conversions. */
  amount: number;
}

/** Some names, those most chosen first. */
export interface RankedNames {
  names: RankedName[];
  /** How many there are in all. */
  total: number;
}

/** Names by how often they were chosen in `[since, until)`, `limit` of them behind the first `offset`. */
export async function rankNames(
  executor: Executor,
  appId: string,
  { messages, time, of }: { messages: CountedMessages; time: Omit<CountedTime, 'interval'>; of: NamedCounts },
  { offset, limit }: { offset: number; limit: number },
): Promise<RankedNames> {
  const { values, condition } = countedSql(appId, messages, time);
  const { first, second } = KINDS[of];
  const [ranked] = await rows<RankedNames>(
    executor,
    `WITH named AS MATERIALIZED (
       SELECT name_key, min(name) AS name, coalesce(sum(count) FILTER (WHERE kind = $5), 0)::float8 AS count,
         coalesce(sum(count) FILTER (WHERE kind = $6), 0)::float8 AS clicks,
         coalesce(sum(amount) FILTER (WHERE kind = 'conversion'), 0)::float8 AS amount
       FROM message_counts WHERE ${condition} AND kind IN ($5, $6)
       GROUP BY name_key HAVING sum(count) <> 0
     )
     SELECT (SELECT count(*)::int FROM named) AS total, coalesce((
       SELECT json_agg(json_build_object('name', name, 'count', count, 'clicks', clicks, 'amount', amount))
       FROM (SELECT * FROM named ORDER BY count DESC, clicks DESC, name_key LIMIT $7 OFFSET $8) page
     ), '[]') AS names`,
    [...values, first, second, limit, offset],
  );
  return ranked ?? { names: [], total: 0 };
}
