import { Inject, Injectable } from '@nestjs/common';
import type { DeviceId } from '@postrider/domain';
import { DATABASE, type Database, type Executor, rows } from '../database/executor';
import { preparedRows, rowsPlannedOnceIn } from '../database/prepared-rows';
import { isPacked } from '../packs/packed-deliveries';
import { parameter, type Sql, sql } from '../sql';
import { countedPlatform, nameKey } from './message-count-key';

/** What is counted for a message. */
export type MessageCountKind =
  'delivered' | 'shown' | 'opened' | 'dismissed' | 'action' | 'link' | 'click' | 'clicked' | 'conversion';

/** How often something happened in one interval on one platform, under all names together. */
export interface MessageSum {
  kind: MessageCountKind;
  from: Date;
  platform: string;
  count: number;
}

/** Like `MessageSum`, by name. */
export interface MessageCount extends MessageSum {
  /** The action's id, the link, or the currency. Null for kinds without a name. */
  name: string | null;
  /** The digest of the name. */
  nameKey: Buffer;
  /** The revenue of conversions. */
  amount: number;
}

/** Whose counts are read: those of one message, or of all messages of a campaign. */
export type CountedMessages = { messageId: string } | { trackId: string };

/** A span of time that is divided into intervals. */
interface CountedTime {
  since: Date;
  until: Date;
  interval: 'hour' | 'day';
}

/** A campaign's messages, summed up. */
interface CampaignSum {
  messages: number;
  /** Devices that they were sent to. */
  count: number;
  /** When the first was accepted. Null if there is none. */
  begunAt: Date | null;
}

/** All receipts of a message. */
export interface MessageEngagement {
  messageId: string;
  delivered: number;
  opened: number;
  /** Devices that chose an action or a link, however many. */
  clicked: number;
}

/** The kinds of counts that have names: actions, links, currencies of conversions. */
export type NamedCounts = 'actions' | 'links' | 'revenue';

const KINDS: Record<NamedCounts, { first: string; second: string | null }> = {
  actions: { first: 'action', second: null },
  links: { first: 'link', second: 'click' },
  revenue: { first: 'conversion', second: null },
};

/** The place of a name in its list. */
export interface RankedPlace {
  /** Devices that chose it; conversions. */
  count: number;
  /** Every click on the link. */
  clicks: number;
  /** The digest of the name, in hexadecimal. */
  key: string;
}

/** A name and its counts. */
export interface RankedName extends RankedPlace {
  name: string | null;
  /** The revenue of conversions. */
  amount: number;
}

/** Some names, the most chosen first. */
interface RankedNames {
  names: RankedName[];
  /** The number of all names. */
  total: number;
}

/** A click on a tracked link of a message. */
export interface LinkClick {
  appId: string;
  messageId: string;
  /** Null: the device was removed meanwhile. */
  deviceId: DeviceId | null;
  link: string;
  at: Date;
}

/** What devices reported and people did, counted by message, hour and platform. */
@Injectable()
export class StatisticsRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** Sums up what people did with messages in `[since, until)`, by `interval`, oldest first. */
  async sumByKind(
    executor: Executor,
    appId: string,
    messages: CountedMessages,
    time: CountedTime,
  ): Promise<MessageSum[]> {
    const stretch = stretchOf(time.interval);
    return readCounts<MessageSum>(
      executor,
      messages,
      sql`SELECT kind, ${stretch} AS "from", platform, sum(count::float8) AS count FROM message_counts
          WHERE ${isCounted(appId, messages, time)} GROUP BY 1, 2, 3 HAVING sum(count::float8) <> 0 ORDER BY 2, 1, 3`,
    );
  }

  /** Like `sumByKind`, by name as well; at most `limit` rows behind `after`. */
  async list(
    appId: string,
    messages: CountedMessages,
    time: CountedTime,
    { after, limit }: { after: MessageCount | null; limit: number },
  ): Promise<MessageCount[]> {
    const [stretch, afterKind] = [stretchOf(time.interval), parameter(after?.kind)];
    return rows<MessageCount>(
      this.database,
      sql`SELECT kind, min(name) AS name, name_key AS "nameKey", ${stretch} AS "from", platform, sum(count::float8) AS count,
            coalesce(sum(amount) FILTER (WHERE kind = 'conversion'), 0)::float8 AS amount
          FROM message_counts
          WHERE ${isCounted(appId, messages, time)} AND (${afterKind}::text IS NULL
            OR (${stretch}, kind, name_key, platform)
              > (${after?.from}::timestamptz, ${afterKind}::text, ${after?.nameKey}::bytea, ${after?.platform}::text))
          GROUP BY kind, name_key, 4, platform HAVING sum(count::float8) <> 0 ORDER BY 4, 1, name_key, platform
          LIMIT ${limit}`,
    );
  }

  /** Sums up the receipts of each of these messages. Messages without receipts are left out. */
  async sumEngagement(appId: string, messageIds: readonly string[]): Promise<MessageEngagement[]> {
    if (messageIds.length === 0) return [];
    return rows<MessageEngagement>(
      this.database,
      sql`SELECT message_id AS "messageId", coalesce(sum(count) FILTER (WHERE kind = 'delivered'), 0)::float8 AS delivered,
            coalesce(sum(count) FILTER (WHERE kind = 'opened'), 0)::float8 AS opened,
            coalesce(sum(count) FILTER (WHERE kind = 'clicked'), 0)::float8 AS clicked
          FROM message_counts
          WHERE app_id = ${appId} AND message_id = ANY (${messageIds}::uuid[]) AND kind IN ('delivered', 'opened', 'clicked')
          GROUP BY 1`,
    );
  }

  /** Adds up the messages of a campaign: those with its tracking id. */
  async sumCampaign(executor: Executor, appId: string, trackId: string): Promise<CampaignSum> {
    const [sum] = await rowsPlannedOnceIn<CampaignSum>(
      executor,
      sql`SELECT count(*)::int AS messages, coalesce(sum(count), 0)::float8 AS count, min(accepted_at) AS "begunAt"
          FROM messages WHERE app_id = ${appId} AND track_id = ${trackId}`,
    );
    return sum ?? { messages: 0, count: 0, begunAt: null };
  }

  /**
   * Lists names by how often they were chosen in `[since, until)`: `limit` of them behind `after` (null: from the first
   * on), without the first `offset`.
   */
  async rankNames(
    executor: Executor,
    appId: string,
    { messages, time, of }: { messages: CountedMessages; time: Omit<CountedTime, 'interval'>; of: NamedCounts },
    { after, offset, limit }: { after: RankedPlace | null; offset: number; limit: number },
  ): Promise<RankedNames> {
    const [count, clicks] = [parameter(after?.count ?? null, 'float8'), parameter(after?.clicks ?? null, 'float8')];
    const [first, second] = [parameter(KINDS[of].first), parameter(KINDS[of].second)];
    const [ranked] = await readCounts<RankedNames>(
      executor,
      messages,
      sql`WITH named AS MATERIALIZED (
            SELECT name_key, min(name) AS name, coalesce(sum(count) FILTER (WHERE kind = ${first}), 0)::float8 AS count,
              coalesce(sum(count) FILTER (WHERE kind = ${second}), 0)::float8 AS clicks,
              coalesce(sum(amount) FILTER (WHERE kind = 'conversion'), 0)::float8 AS amount
            FROM message_counts WHERE ${isCounted(appId, messages, time)} AND kind IN (${first}, ${second})
            GROUP BY name_key HAVING sum(count) <> 0
          )
          SELECT (SELECT count(*)::int FROM named) AS total, coalesce((
            SELECT json_agg(json_build_object('name', name, 'count', count, 'clicks', clicks, 'amount', amount,
              'key', encode(name_key, 'hex')))
            FROM (SELECT * FROM named
              WHERE ${count} IS NULL OR count < ${count}
                OR (count = ${count} AND (clicks < ${clicks} OR (clicks = ${clicks} AND name_key > decode(${after?.key ?? null}, 'hex'))))
              ORDER BY count DESC, clicks DESC, name_key LIMIT ${limit} OFFSET ${offset}) page
          ), '[]') AS names`,
    );
    return ranked ?? { names: [], total: 0 };
  }

  /**
   * Counts every click on tracked links, also repeated ones and those of removed devices. Clicks on unknown deliveries
   * do not count. A repeated call counts them again.
   */
  async countLinkClicks(clicks: readonly LinkClick[]): Promise<void> {
    await preparedRows(
      this.database,
      sql`
        INSERT INTO message_counts AS m (app_id, message_id, kind, name_key, hour, platform, name, count)
        SELECT c.app_id, c.message_id, 'click', c.name_key, date_trunc('hour', c.at, 'UTC'), coalesce(i.platform, 'other'),
          min(c.link), count(*)
        FROM unnest(
          ${clicks.map(({ appId }) => appId)}::text[],
          ${clicks.map(({ messageId }) => messageId)}::uuid[],
          ${clicks.map(({ deviceId }) => deviceId)}::bigint[],
          ${clicks.map(({ link }) => link)}::text[],
          ${clicks.map(({ link }) => nameKey(link))}::bytea[],
          ${clicks.map(({ at }) => at)}::timestamptz[]
        )
          AS c (app_id, message_id, device_id, link, name_key, at)
        LEFT JOIN LATERAL (
          SELECT ${countedPlatform(sql`i.device_type`)} AS platform FROM installations i WHERE i.app_id = c.app_id AND i.id = c.device_id LIMIT 1
        ) i ON true
        WHERE CASE WHEN c.device_id IS NULL THEN EXISTS (
          SELECT 1 FROM messages m WHERE m.app_id = c.app_id AND m.id = c.message_id
        ) ELSE EXISTS (
          SELECT 1 FROM deliveries d WHERE d.app_id = c.app_id AND d.message_id = c.message_id AND d.device_id = c.device_id
        ) OR ${isPacked({ app: sql`c.app_id`, message: sql`c.message_id`, device: sql`c.device_id` })} END
        GROUP BY 1, 2, 4, 5, 6 ORDER BY 1, 2, 4, 5, 6
        ON CONFLICT (app_id, message_id, kind, name_key, hour, platform) DO UPDATE SET count = m.count + excluded.count`,
    );
  }
}

/** Reads what is counted: of one message with a plan for its day, of a campaign with a plan over all days, which is made once. */
function readCounts<Row>(executor: Executor, messages: CountedMessages, statement: Sql): Promise<Row[]> {
  return 'trackId' in messages ? rowsPlannedOnceIn<Row>(executor, statement) : rows<Row>(executor, statement);
}

/** A condition on `message_counts`: of these messages, in this time. */
function isCounted(appId: string, messages: CountedMessages, { since, until }: Omit<CountedTime, 'interval'>): Sql {
  const app = parameter(appId);
  const which =
    'messageId' in messages
      ? sql`message_id = ${messages.messageId}::uuid`
      : sql`message_id = ANY (ARRAY(SELECT m.id FROM messages m WHERE m.app_id = ${app} AND m.track_id = ${messages.trackId}))`;
  return sql`app_id = ${app} AND ${which} AND hour >= date_trunc('hour', ${since}::timestamptz, 'UTC') AND hour < ${until}`;
}

/** The beginning of the interval of a row of `message_counts`. */
function stretchOf(interval: CountedTime['interval']): Sql {
  return sql`date_bin(('1 ' || ${parameter(interval, 'text')})::interval, hour, '2000-01-01T00:00:00Z')`;
}
