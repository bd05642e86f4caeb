import { type Executor, rows } from '../database/executor';

/** What is counted of a message. */
export type MessageCountKind =
  'delivered' | 'shown' | 'opened' | 'dismissed' | 'action' | 'link' | 'click' | 'conversion';

/** How often something happened, in one stretch of time on one platform. */
export interface MessageCount {
  kind: MessageCountKind;
  /** The action's id, the link, or the currency; null for what has none. */
  name: string | null;
  from: Date;
  platform: string;
  count: number;
  /** Revenue, of conversions. */
  amount: number;
}

/** A stretch of time, cut into intervals. */
export interface CountedTime {
  since: Date;
  until: Date;
  interval: 'hour' | 'day';
}

/** What people did with these messages in `[since, until)`, by stretches of `interval`, oldest first, at most `limit` rows. */
export async function countMessages(
  executor: Executor,
  appId: string,
  messageIds: readonly string[],
  { since, until, interval }: CountedTime,
  limit: number,
): Promise<MessageCount[]> {
  return rows<MessageCount>(
    executor,
    `SELECT kind, min(name) AS name, date_bin(('1 ' || $5::text)::interval, hour, '2000-01-01T00:00:00Z') AS "from", platform,
       sum(count::float8) AS count, coalesce(sum(amount) FILTER (WHERE kind = 'conversion'), 0)::float8 AS amount
     FROM message_counts
     WHERE app_id = $1 AND message_id = ANY ($2::uuid[]) AND hour >= date_trunc('hour', $3::timestamptz, 'UTC') AND hour < $4
     GROUP BY kind, name_key, 3, platform HAVING sum(count::float8) <> 0 ORDER BY 3, 1, 2, 4 LIMIT $6`,
    [appId, messageIds, since, until, interval, limit],
  );
}

/** The messages of a campaign, newest first: those with its tracking id. */
export async function findCampaignMessages(
  executor: Executor,
  appId: string,
  trackId: string,
  limit: number,
): Promise<{ id: string; count: number; acceptedAt: Date }[]> {
  return rows(
    executor,
    `SELECT id, count::float8 AS count, accepted_at AS "acceptedAt" FROM messages
     WHERE app_id = $1 AND track_id = $2 ORDER BY id DESC LIMIT $3`,
    [appId, trackId, limit],
  );
}
