import { type Executor, rows } from '../database/executor';
import { type CountedMessages, type CountedTime, countedSql } from './counted-messages';

/** What is counted of a message. */
export type MessageCountKind =
  'delivered' | 'shown' | 'opened' | 'dismissed' | 'action' | 'link' | 'click' | 'conversion';

/** How often something happened, in one stretch of time on one platform, whatever it is called. */
export interface MessageSum {
  kind: MessageCountKind;
  from: Date;
  platform: string;
  count: number;
}

/** As `MessageSum`, by name. */
export interface MessageCount extends MessageSum {
  /** The action's id, the link, or the currency; null for what has none. */
  name: string | null;
  /** Its digest. */
  nameKey: Buffer;
  /** Revenue, of conversions. */
  amount: number;
}

const STRETCH = `date_bin(('1 ' || $5::text)::interval, hour, '2000-01-01T00:00:00Z')`;

/** What people did with messages in `[since, until)`, by stretches of `interval`, oldest first. */
export async function sumMessageCounts(
  executor: Executor,
  appId: string,
  messages: CountedMessages,
  time: CountedTime,
): Promise<MessageSum[]> {
  const { values, condition } = countedSql(appId, messages, time);
  return rows<MessageSum>(
    executor,
    `SELECT kind, ${STRETCH} AS "from", platform, sum(count::float8) AS count FROM message_counts
     WHERE ${condition} GROUP BY 1, 2, 3 HAVING sum(count::float8) <> 0 ORDER BY 2, 1, 3`,
    [...values, time.interval],
  );
}

/** As `sumMessageCounts`, by name as well; at most `limit` rows behind `after`. */
export async function countMessages(
  executor: Executor,
  appId: string,
  messages: CountedMessages,
  time: CountedTime,
  { after, limit }: { after: MessageCount | null; limit: number },
): Promise<MessageCount[]> {
  const { values, condition } = countedSql(appId, messages, time);
  return rows<MessageCount>(
    executor,
    `SELECT kind, min(name) AS name, name_key AS "nameKey", ${STRETCH} AS "from", platform, sum(count::float8) AS count,
       coalesce(sum(amount) FILTER (WHERE kind = 'conversion'), 0)::float8 AS amount
     FROM message_counts
     WHERE ${condition} AND ($7::text IS NULL
       OR (${STRETCH}, kind, name_key, platform) > ($8::timestamptz, $7::text, $9::bytea, $10::text))
     GROUP BY kind, name_key, 4, platform HAVING sum(count::float8) <> 0 ORDER BY 4, 1, name_key, platform LIMIT $6`,
    [...values, time.interval, limit, ...[after?.kind, after?.from, after?.nameKey, after?.platform]],
  );
}

/** A campaign's messages, taken together. */
export interface CampaignSum {
  messages: number;
  /** Devices that they were sent to. */
  count: number;
  /** When the first was accepted; null without any. */
  begunAt: Date | null;
}

/** Adds up the messages of a campaign: those with its tracking id. */
export async function sumCampaign(executor: Executor, appId: string, trackId: string): Promise<CampaignSum> {
  const [sum] = await rows<CampaignSum>(
    executor,
    `SELECT count(*)::int AS messages, coalesce(sum(count), 0)::float8 AS count, min(accepted_at) AS "begunAt"
     FROM messages WHERE app_id = $1 AND track_id = $2`,
    [appId, trackId],
  );
  return sum ?? { messages: 0, count: 0, begunAt: null };
}
