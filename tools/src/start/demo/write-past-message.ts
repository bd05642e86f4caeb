import { DAY_MS } from '@postrider/domain';
import { newId } from '@postrider/platform';
import { type Executor, type Parameter, parameter, rows, sql, type Sql } from '@postrider/persistence';
import { audienceJson, type PastAudience, type PastMessage } from './past-plan';

const CHANNEL = 'public/default';
const PAGE_SIZE = 500;
const LIFETIME_MS = 14 * DAY_MS;

/**
 * Writes a message of the past as if it had been sent then: the message, its pages, the result on each device, pressed
 * buttons, purchases, and the counts of all that by the hour. It is one statement, so all of it or nothing; its figures
 * agree as those of a real send do. The device's number decides how keen a person is, for every message.
 * @param now nothing has happened after this
 * @returns how many devices it was sent to
 */
export async function writePastMessage(
  executor: Executor,
  appId: string,
  past: PastMessage,
  now: Date,
): Promise<number> {
  const [written] = await rows<{ count: number }>(executor, statement(appId, past, now));
  return written?.count ?? 0;
}

function statement(appId: string, past: PastMessage, until: Date): Sql {
  const app = parameter(appId);
  const id = parameter(newId(past.at), 'uuid');
  const at = parameter(past.at, 'timestamptz');
  const now = parameter(until, 'timestamptz');
  const isCampaign = past.audience.kind !== 'user';
  const actions = past.content.notification?.actions?.map((action) => action.id ?? '') ?? [];
  return sql`
  WITH recipients AS MATERIALIZED (${recipients(app, at, past.audience)}), chances AS MATERIALIZED (
    SELECT r.*, abs(hashint8(r.id) % 1000) / 1000.0 AS keen, random() AS shows, random() AS acts, random() AS late, random() AS chooses,
      random() AS buys, ${at} + interval '1 second' * (0.2 + random() * 4) AS sent_at
    FROM recipients r
  ), moments AS MATERIALIZED (
    SELECT c.*, sent_at + interval '1 second' * (0.3 + late * late * 5) * CASE WHEN late > 0.93 THEN 900 ELSE 1 END AS delivered_at,
      interval '1 minute' * (0.1 + power(chooses, 4) * 600) AS thinking
    FROM chances c
  ), facts AS MATERIALIZED (
    SELECT m.*, NOT died AND shows > 0.06 AND delivered_at < ${now} AS is_delivered, shows > 0.11 AS is_shown,
      delivered_at + interval '700 milliseconds' AS shown_at, delivered_at + thinking AS acted_at,
      acts < keen * 0.42 * ${past.appeal}::float8 AS is_opened, acts > 0.72 AS is_dismissed
    FROM moments m
  ), outcomes AS MATERIALIZED (
    SELECT id, platform, vendor, user_id, died, buys, chooses, sent_at, is_delivered,
      CASE WHEN is_delivered THEN delivered_at END AS delivered_at,
      CASE WHEN is_delivered AND is_shown AND shown_at < ${now} THEN shown_at END AS shown_at,
      CASE WHEN is_delivered AND is_shown AND is_opened AND acted_at < ${now} THEN acted_at END AS opened_at,
      CASE WHEN is_delivered AND is_shown AND is_dismissed AND NOT is_opened AND acted_at < ${now} THEN acted_at END AS dismissed_at
    FROM facts
  ), message AS (
    INSERT INTO messages (app_id, id, kind, is_campaign, lane, audience, user_ids, channel, content, track_id, client_id, status, count,
      recipients, resolved_through, resolve_ceiling, resolved_at, accepted_at, expires_at, done_at)
    SELECT ${app}, ${id}, ${isCampaign ? 'query' : 'users'}, ${isCampaign}, ${isCampaign ? 'campaign' : 'transactional'},
      ${JSON.stringify(audienceJson(past.audience, CHANNEL))}::jsonb, ${isCampaign ? sql`NULL` : sql`array_agg(DISTINCT user_id)`}, ${CHANNEL},
      ${JSON.stringify(past.content)}::jsonb, ${past.trackId}, ${past.clientId}, 'done', count(*), count(*), coalesce(max(id), 0),
      coalesce(max(id), 0), ${at} + interval '80 milliseconds', ${at}, ${new Date(past.at.getTime() + LIFETIME_MS)}::timestamptz, max(sent_at)
    FROM chances HAVING count(*) > 0
  ), paged AS (
    SELECT id, vendor, sent_at, (row_number() OVER (PARTITION BY vendor ORDER BY id) - 1) / ${PAGE_SIZE}::int AS page FROM outcomes
  ), pages AS (
    INSERT INTO pages (app_id, message_id, id, vendor, lane, device_ids, state, attempt, fence, first_attempt_at, created_at, finished_at)
    SELECT ${app}, ${id}, gen_random_uuid(), vendor, ${isCampaign ? 'campaign' : 'transactional'}, array_agg(id ORDER BY id), 'finished',
      1, 1, min(sent_at), ${at} + interval '90 milliseconds', max(sent_at)
    FROM paged GROUP BY vendor, page
  ), ${deliveries({ app, id, at })}, clicks AS MATERIALIZED (
    SELECT id, platform, opened_at AS at, (${actions}::text[])[1 + floor(chooses * 97)::int % greatest(cardinality(${actions}::text[]), 1)] AS name
    FROM outcomes WHERE opened_at IS NOT NULL AND cardinality(${actions}::text[]) > 0 AND buys < 0.6
  ), pressed AS (
    INSERT INTO delivery_clicks (app_id, message_id, device_id, kind, name_key, name, first_at)
    SELECT ${app}, ${id}, id, 'action', ${nameKey}, name, at FROM clicks
    UNION ALL SELECT ${app}, ${id}, id, 'clicked', '', '', at FROM clicks
  ), bought AS MATERIALIZED (
    SELECT id, platform, least(opened_at + interval '1 minute' * (1 + chooses * 90), ${now}) AS at, round((8 + buys * 400)::numeric, 2) AS revenue
    FROM outcomes WHERE opened_at IS NOT NULL AND buys < ${past.buying}::float8
  ), conversions AS (
    INSERT INTO conversions (app_id, message_id, device_id, at, name, revenue, currency)
    SELECT ${app}, ${id}, id, at, 'purchase', revenue, 'EUR' FROM bought
  ), ${counts({ app, id, at })}
  SELECT count(*)::int AS count FROM recipients`;
}

/** The devices that it went to. Those that a vendor called dead at this very moment were still among them. */
function recipients(app: Parameter, at: Parameter, audience: PastAudience): Sql {
  const reachable = sql`
    SELECT i.id, i.device_type AS platform, i.push_type AS vendor, i.user_id, coalesce(t.dead_at = ${at}, false) AS died
    FROM installations i LEFT JOIN LATERAL (
      SELECT min(dead_at) AS dead_at FROM removed_tokens t WHERE t.app_id = ${app} AND t.device_id = i.id
    ) t ON true
    WHERE i.app_id = ${app} AND i.created_at <= ${at} AND i.push_type IS NOT NULL AND (i.usable_vendor IS NOT NULL OR t.dead_at >= ${at})`;
  switch (audience.kind) {
    case 'everyone':
      return reachable;
    case 'tag':
      return sql`${reachable} AND i.tags @> ARRAY[${audience.tag}::text]`;
    case 'platform':
      return sql`${reachable} AND i.device_type = ${audience.deviceType}`;
    case 'user':
      return sql`${reachable} AND i.user_id = (
        SELECT user_id FROM users WHERE app_id = ${app} ORDER BY user_id
        OFFSET floor(${audience.place}::float8 * (SELECT count(*) FROM users WHERE app_id = ${app}))::int LIMIT 1)`;
  }
}

interface Written {
  app: Parameter;
  id: Parameter;
  at: Parameter;
}

/** One row a device, in the furthest state that it reached, with its rank (`deliveryStateRank`). */
const deliveries = ({ app, id, at }: Written): Sql => sql`delivered AS (
    INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor, vendor_message_id, error_code, reason, attempt, created_at,
      sent_at, delivered_at, shown_at, opened_at, dismissed_at, updated_at)
    SELECT ${app}, ${id}, o.id, s.state, s.rank, o.vendor, CASE WHEN NOT died THEN gen_random_uuid()::text END,
      CASE WHEN died THEN CASE o.vendor WHEN 'fcm' THEN 'UNREGISTERED' WHEN 'apns' THEN 'Unregistered' ELSE 'gone' END END,
      CASE WHEN died THEN 'The vendor says that the token is dead' END, 1, ${at}, CASE WHEN NOT died THEN sent_at END,
      delivered_at, shown_at, opened_at, dismissed_at, greatest(sent_at, delivered_at, shown_at, opened_at, dismissed_at)
    FROM outcomes o CROSS JOIN LATERAL (
      SELECT * FROM (VALUES ('opened', 6, opened_at IS NOT NULL), ('dismissed', 5, dismissed_at IS NOT NULL), ('shown', 4, shown_at IS NOT NULL),
        ('delivered', 3, delivered_at IS NOT NULL), ('sent', 2, NOT died), ('failed', 1, true)) AS s (state, rank, holds)
      WHERE holds ORDER BY rank DESC LIMIT 1
    ) s
  )`;

/** The digest of a name, as `nameKey` of libs/persistence computes it. */
const nameKey = sql`substring(sha256(convert_to(name, 'UTF8')) FROM 1 FOR 16)`;

/** The events, by the hour and platform. */
const counts = ({ app, id, at }: Written): Sql => sql`happened AS (
    SELECT kind, ''::bytea AS name_key, NULL AS name, t.at, platform, 0::numeric AS amount FROM outcomes CROSS JOIN LATERAL (
      VALUES ('delivered', delivered_at), ('shown', shown_at), ('opened', opened_at), ('dismissed', dismissed_at)
    ) AS t (kind, at) WHERE t.at IS NOT NULL
    UNION ALL
    SELECT 'action', ${nameKey}, name, at, platform, 0 FROM clicks
    UNION ALL
    SELECT 'clicked', '', NULL, at, platform, 0 FROM clicks
    UNION ALL
    SELECT 'conversion', convert_to('EUR', 'UTF8'), 'EUR', at, platform, revenue FROM bought
  ), counted AS (
    INSERT INTO message_counts (app_id, message_id, kind, name_key, hour, platform, name, count, amount)
    SELECT ${app}, ${id}, kind, name_key, date_trunc('hour', greatest(at, ${at}), 'UTC'), platform, min(name), count(*), sum(amount)
    FROM happened GROUP BY kind, name_key, 5, platform
  )`;
