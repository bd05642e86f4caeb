import { packOf } from '../packs/packed-deliveries';
import { parameter, sql, type Sql } from '../sql';
import { type Contacts, keptSince, NOT_SENT } from './record-contacts.statement';

/** Finds the users of these devices who have no row that was written since the application counts everything. */
export function findUnknownUsersStatement({ appId, devices, since }: Contacts): Sql {
  const users = [...new Set(devices.map(({ userId }) => userId))];
  return sql`SELECT u.user_id AS "userId" FROM unnest(${users}::text[]) AS u (user_id)
    WHERE (SELECT c.counted_since FROM user_contacts c WHERE c.app_id = ${appId} AND c.user_id = u.user_id)
      IS DISTINCT FROM ${since}::timestamptz`;
}

/**
 * Writes rows for users with what they got before campaigns were counted, read from the deliveries of their devices. An
 * existing row is extended. Call it when no worker has an uncounted page any more.
 *
 * Every device is looked up with every message, so it leaves out the messages that nobody got lately: they were done before the
 * caps look back to, and no delivery waited for a connection. If one did, `inbox_ends_at` is set as long as the message lives.
 */
export function recallContactsStatement(contacts: Contacts, users: readonly string[]): Sql {
  const [app, since] = [parameter(contacts.appId), parameter(contacts.since, 'timestamptz')];
  const packed = packOf({ app: sql`${app}`, message: sql`counted.id`, device: sql`i.id` });
  const [kept, now] = [parameter(keptSince(contacts), 'timestamptz'), parameter(contacts.now, 'timestamptz')];
  return sql`
  WITH counted AS MATERIALIZED (
    SELECT m.id FROM messages m
    WHERE m.app_id = ${app} AND m.expires_at > ${kept} AND m.accepted_at <= ${since} + interval '1 minute'
      AND (m.lane = 'campaign' OR m.content ->> 'countsTowardsCap' = 'true')
      AND coalesce(m.content ->> 'isTest', 'false') <> 'true'
      AND NOT (m.status = 'done' AND m.done_at <= ${kept} AND m.inbox_ends_at IS NULL AND m.expires_at > ${now})
  ), sent AS MATERIALIZED (
    SELECT u.user_id, d.message_id, i.id AS device_id, d.at
    FROM unnest(${users}::text[]) AS u (user_id)
    CROSS JOIN LATERAL (
      SELECT i.id, i.user_since FROM installations i WHERE i.app_id = ${app} AND i.user_id = u.user_id OFFSET 0
    ) i
    CROSS JOIN counted
    LEFT JOIN LATERAL (
      SELECT d.state, coalesce(d.sent_at, d.delivered_at, d.created_at) AS at FROM deliveries d
      WHERE d.app_id = ${app} AND d.message_id = counted.id AND d.device_id = i.id LIMIT 1
    ) o ON true
    LEFT JOIN LATERAL (SELECT k.created_at ${packed} LIMIT 1) k ON o.state IS NULL
    CROSS JOIN LATERAL (SELECT counted.id AS message_id, coalesce(o.at, k.created_at) AS at) d
    WHERE d.at > ${kept} AND d.at >= i.user_since AND (o.state IS NULL OR o.state NOT IN ${NOT_SENT})
  )
  INSERT INTO user_contacts AS c (app_id, user_id, message_ids, device_ids, times, counted_since)
  SELECT ${app}, u.user_id, coalesce(array_agg(s.message_id ORDER BY s.at DESC) FILTER (WHERE s.at IS NOT NULL), '{}'),
    coalesce(array_agg(s.device_id ORDER BY s.at DESC) FILTER (WHERE s.at IS NOT NULL), '{}'),
    coalesce(array_agg(s.at ORDER BY s.at DESC) FILTER (WHERE s.at IS NOT NULL), '{}'), ${since}
  FROM unnest(${users}::text[]) AS u (user_id) LEFT JOIN sent s ON s.user_id = u.user_id
  GROUP BY u.user_id ORDER BY u.user_id COLLATE "C"
  ON CONFLICT (app_id, user_id) DO UPDATE
  SET (message_ids, device_ids, times) = (
      SELECT coalesce(array_agg(e.message_id ORDER BY e.at DESC), '{}'), coalesce(array_agg(e.device_id ORDER BY e.at DESC), '{}'),
        coalesce(array_agg(e.at ORDER BY e.at DESC), '{}')
      FROM (
        SELECT both_rows.message_id, both_rows.device_id, max(both_rows.at) AS at FROM (
          SELECT * FROM unnest(c.message_ids, c.device_ids, c.times) AS e (message_id, device_id, at)
          UNION ALL SELECT * FROM unnest(excluded.message_ids, excluded.device_ids, excluded.times)
        ) both_rows GROUP BY both_rows.message_id, both_rows.device_id
      ) e
    ), counted_since = excluded.counted_since
  WHERE c.counted_since <> excluded.counted_since`;
}
