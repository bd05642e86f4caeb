import type { Client } from 'pg';
import { COUNT_RULES } from '../count-rules';
import type { SeededMessages } from './seed-messages';

/** The single things that have pages of their own to measure. */
export interface SeededRooms {
  segmentId: string;
  promoSetId: string;
  trackerId: string;
  webhookId: string;
}

/** Writes what people did, who is online, segments with their sizes, promo sets, trackers and webhooks. */
export async function seedRooms(client: Client, appId: string, messages: SeededMessages): Promise<SeededRooms> {
  await client.query(COUNTS, [appId]);
  await client.query(MANY_COUNTS, [appId, messages.counted]);
  await client.query(`INSERT INTO edges (edge_id) VALUES ('bench-edge') ON CONFLICT DO NOTHING`);
  await client.query(PRESENCE, [appId]);
  const rules = COUNT_RULES.map(({ segment }) => segment);
  const segments = await ids(client, SEGMENTS, [appId, JSON.stringify(rules)]);
  await client.query(SIZES, [appId]);
  const sets = await ids(client, PROMO_SETS, [appId]);
  await client.query(ASSIGNMENTS, [appId, sets[0], messages.done]);
  const trackers = await ids(client, TRACKERS, [appId]);
  await client.query(TRACKER_COUNTS, [appId]);
  const webhooks = await ids(client, WEBHOOKS, [appId]);
  await client.query(WEBHOOK_EVENTS, [appId, webhooks[0]]);
  await client.query(PLANNED, [appId]);
  await client.query('VACUUM ANALYZE');
  const [segmentId = ''] = segments;
  return { segmentId, promoSetId: sets[0] ?? '', trackerId: trackers[0] ?? '', webhookId: webhooks[0] ?? '' };
}

async function ids(client: Client, sql: string, parameters: readonly unknown[]): Promise<string[]> {
  return (await client.query<{ id: string }>(sql, [...parameters])).rows.map(({ id }) => id);
}

/** Two days of reports on a big campaign, six hours on a small one. */
const COUNTS = `
  INSERT INTO message_counts (app_id, message_id, kind, hour, platform, count)
  SELECT $1, m.id, counted, date_trunc('hour', m.accepted_at) + hour * interval '1 hour', platform, 1 + m.count / 100
  FROM messages m CROSS JOIN generate_series(0, CASE WHEN m.count > 1000 THEN 47 ELSE 5 END) hour
  CROSS JOIN unnest(ARRAY['delivered', 'shown', 'opened']) counted CROSS JOIN unnest(ARRAY['android', 'ios']) platform
  WHERE m.app_id = $1 AND m.is_campaign`;

/** Two weeks by the hour, four platforms, twelve things that are counted. */
const MANY_COUNTS = `
  INSERT INTO message_counts (app_id, message_id, kind, name_key, hour, platform, name, count)
  SELECT $1, $2, counted, decode(md5(counted || n), 'hex'), date_trunc('hour', m.accepted_at) + hour * interval '1 hour', platform,
    counted || ' ' || n, 10
  FROM messages m CROSS JOIN generate_series(0, 335) hour CROSS JOIN generate_series(1, 4) n
  CROSS JOIN unnest(ARRAY['action', 'link', 'click']) counted
  CROSS JOIN unnest(ARRAY['android', 'ios', 'web', 'other']) platform
  WHERE m.app_id = $1 AND m.id = $2`;

const PRESENCE = `
  INSERT INTO presence (app_id, id, edge_id, epoch)
  SELECT app_id, id, 'bench-edge', 1 FROM installations WHERE app_id = $1 ORDER BY id LIMIT 50000`;

const SEGMENTS = `
  INSERT INTO segments (app_id, segment_id, name, segment)
  SELECT $1, gen_random_uuid(), 'Segment ' || n, $2::jsonb -> (n % jsonb_array_length($2::jsonb))
  FROM generate_series(1, 100) n RETURNING segment_id AS id`;

/** A year by the day and two weeks by the hour. */
const SIZES = `
  INSERT INTO segment_sizes (app_id, segment_id, measured_at, devices, reachable, users)
  SELECT $1, s.segment_id, at, 100000 + extract(epoch FROM at)::bigint % 5000, 90000, 60000
  FROM segments s CROSS JOIN (
    SELECT now() - n * interval '1 hour' AS at FROM generate_series(1, 336) n
    UNION ALL SELECT now() - n * interval '1 day' FROM generate_series(15, 365) n
  ) moments WHERE s.app_id = $1`;

const PROMO_SETS = `
  INSERT INTO promo_sets (app_id, set_id, track_id, state, total, remaining, last_ordinal, assigned, created_at, in_force_at)
  SELECT $1, gen_random_uuid(), 'offer-' || n, 'in_force', 1000000, 1000000 - n, n, n, now(), now()
  FROM generate_series(1, 200) n RETURNING set_id AS id`;

/** Every user who got the campaign that is done got a code. */
const ASSIGNMENTS = `
  INSERT INTO promo_assignments (app_id, message_id, user_id, set_id, ordinal, code, claimed_at)
  SELECT $1, $3::uuid, user_id, $2::uuid, row_number() OVER (ORDER BY user_id), 'CODE-' || user_id, now()
  FROM users WHERE app_id = $1`;

const TRACKERS = `
  INSERT INTO trackers (app_id, tracker_id, name, created_at, updated_at)
  SELECT $1, 'bench' || n, 'Tracker ' || n, now() - n * interval '1 hour', now()
  FROM generate_series(1, 200) n RETURNING tracker_id AS id`;

const TRACKER_COUNTS = `
  INSERT INTO tracker_counts (app_id, tracker_id, kind, hour, platform, count)
  SELECT $1, t.tracker_id, kind, date_trunc('hour', now()) - hour * interval '1 hour', platform, 100
  FROM trackers t CROSS JOIN generate_series(0, 719) hour CROSS JOIN unnest(ARRAY['click', 'visit', 'install']) kind
  CROSS JOIN unnest(ARRAY['android', 'ios', 'web']) platform WHERE t.app_id = $1`;

const WEBHOOKS = `
  INSERT INTO webhooks (app_id, webhook_id, url, events, sealed, is_enabled, created_at, updated_at)
  SELECT $1, gen_random_uuid(), 'https://shop.example/hook' || n, ARRAY['message.done'], '', true, now(), now()
  FROM generate_series(1, 3) n RETURNING webhook_id AS id`;

const WEBHOOK_EVENTS = `
  INSERT INTO webhook_events (app_id, webhook_id, type, data, state, wake_at, created_at, ended_at)
  SELECT $1, $2, 'message.done', '{}', 'delivered', NULL, now() - n * interval '10 seconds', now()
  FROM generate_series(1, 200000) n`;

/** Returns the SQL of an id in the order of time (RFC 9562 §5.7). */
const ID_AT = (at: string): string =>
  `(lpad(to_hex((extract(epoch FROM ${at}) * 1000)::bigint), 12, '0') || '7' || substr(md5(random()::text), 1, 3)
    || '8' || substr(md5(random()::text), 1, 15))::uuid`;

/** Campaigns that were made ahead: one of forty has not been sent yet. */
const PLANNED = `
  INSERT INTO campaigns (app_id, track_id, campaign_id, name, created_at)
  SELECT $1, track_id, ${ID_AT('at')}, track_id, at
  FROM (
    SELECT 'offer-' || n AS track_id, now() - n * interval '20 minutes' AS at FROM generate_series(0, 1999) n
    UNION ALL SELECT 'planned-' || n, now() - n * interval '13 hours' FROM generate_series(1, 50) n
  ) made`;
