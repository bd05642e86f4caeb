import { createHash } from 'node:crypto';
import type { Executor } from '../database/executor';
import { preparedRows } from '../database/prepared-rows';
import type { DeviceReceipts } from './receipt';

/** How a statement meets a delivery that another one holds: it passes it by, or waits. */
export type WhenHeld = 'skip' | 'wait';

/**
 * Records what devices reported, counts it by hour and platform, and ends the fallback SMS that it makes needless: all in
 * one statement. A delivery only moves forward, and each time is the first that was reported, whatever the order of the
 * reports; what is repeated changes nothing. With `skip` any number of deliveries can go in one statement beside others that
 * hold some of them: nobody waits for two.
 *
 * @param entries one a device and message, in the order of `mergeReceipts`
 * @returns the places in `entries` whose deliveries were there to be reported on
 */
export async function recordDeviceReceipts(
  executor: Executor,
  entries: readonly DeviceReceipts[],
  now: Date,
  whenHeld: WhenHeld,
): Promise<Set<number>> {
  const clicks = entries.flatMap(({ clicks = [] }, place) => clicks.map((click) => ({ ...click, place })));
  const recorded = await preparedRows<{ place: string }>(executor, STATEMENTS[whenHeld], [
    entries.map(({ appId }) => appId),
    entries.map(({ deviceId }) => deviceId),
    entries.map(({ messageId }) => messageId),
    entries.map(({ messageId }) => acceptedAt(messageId)),
    entries.map(({ state }) => state),
    entries.map(({ rank }) => rank),
    entries.map(({ deliveredAt }) => deliveredAt),
    entries.map(({ shownAt }) => shownAt),
    entries.map(({ openedAt }) => openedAt),
    entries.map(({ dismissedAt }) => dismissedAt),
    now,
    clicks.map(({ place }) => place + 1),
    clicks.map(({ kind }) => kind),
    clicks.map(({ name }) => name),
    clicks.map(({ name }) => nameKey(name)),
    clicks.map(({ at }) => at),
  ]);
  return new Set(recorded.map(({ place }) => Number(place) - 1));
}

/** A short stand-in for a name in an index. */
export function nameKey(name: string): Buffer {
  return createHash('sha256').update(name, 'utf8').digest().subarray(0, 16);
}

/** When a message was accepted, from its id (UUID version 7): no device did anything with it before. */
function acceptedAt(messageId: string): Date {
  return new Date(Number.parseInt(messageId.slice(0, 8) + messageId.slice(9, 13), 16));
}

/** The platform by which a device is counted, from `device_type` of alias `i`. */
export const PLATFORM_SQL = `CASE WHEN i.device_type ~ '^(ios|iphone|ipad)' THEN 'ios' WHEN i.device_type ~ '^android' THEN 'android'
  WHEN i.device_type ~ '^(web|chrome|firefox|safari|edge|opera)' THEN 'web' ELSE 'other' END`;

/** Takes what changed from the hour where it was counted to the one where it belongs. */
const COUNT_CHANGES = `  ), changes AS (
    SELECT n.app_id, n.message_id, n.device_id, n.floor, t.kind, ''::bytea AS name_key, NULL AS name, t.before,
      least(t.before, t.reported) AS after
    FROM news n CROSS JOIN LATERAL (VALUES ('delivered', n.old_delivered, n.delivered_at), ('shown', n.old_shown, n.shown_at),
      ('opened', n.old_opened, n.opened_at), ('dismissed', n.old_dismissed, n.dismissed_at)) AS t (kind, before, reported)
    WHERE t.reported < coalesce(t.before, 'infinity')
    UNION ALL
    SELECT c.app_id, c.message_id, c.device_id, h.floor, c.kind, c.name_key, c.name, c.moved_from, c.first_at
    FROM clicked c JOIN held h ON h.app_id = c.app_id AND h.message_id = c.message_id AND h.device_id = c.device_id
  ), steps AS (
    SELECT app_id, message_id, device_id, kind, name_key, name, date_trunc('hour', greatest(after, floor), 'UTC') AS hour, 1 AS step
    FROM changes
    UNION ALL
    SELECT app_id, message_id, device_id, kind, name_key, name, date_trunc('hour', greatest(before, floor), 'UTC'), -1
    FROM changes WHERE before IS NOT NULL
  ), counted AS (
    INSERT INTO message_counts AS m (app_id, message_id, kind, name_key, hour, platform, name, count)
    SELECT s.app_id, s.message_id, s.kind, s.name_key, s.hour, p.platform, min(s.name), sum(s.step)
    FROM steps s LEFT JOIN LATERAL (
      SELECT ${PLATFORM_SQL} AS platform FROM installations i WHERE i.app_id = s.app_id AND i.id = s.device_id LIMIT 1
    ) i ON true CROSS JOIN LATERAL (SELECT coalesce(i.platform, 'other') AS platform) p
    GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(s.step) <> 0 ORDER BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (app_id, message_id, kind, name_key, hour, platform) DO UPDATE SET count = m.count + excluded.count`;

/** Whoever claims fallbacks holds their locks: he is passed by, and looks at the deliveries himself before he sends. */
const END_NEEDLESS = `
  ), needless AS MATERIALIZED (
    SELECT f.app_id, f.message_id, f.user_id
    FROM held h
    JOIN LATERAL (
      SELECT user_id FROM installations WHERE app_id = h.app_id AND id = h.device_id LIMIT 1
    ) i ON true
    CROSS JOIN LATERAL (
      SELECT f.app_id, f.message_id, f.user_id FROM fallbacks f
      WHERE f.app_id = h.app_id AND f.message_id = h.message_id AND f.user_id = i.user_id AND f.state = 'waiting'
        AND h.rank >= CASE WHEN f.policy = 'SHOWN' THEN 4 ELSE 3 END
      FOR UPDATE SKIP LOCKED
    ) f
    WHERE h.rank >= 3
  ), confirmed AS (
    UPDATE fallbacks f
    SET state = 'confirmed', wake_at = NULL, error_code = NULL, reason = NULL, ended_at = $11, updated_at = $11
    FROM needless n WHERE f.app_id = n.app_id AND f.message_id = n.message_id AND f.user_id = n.user_id
  )`;

/**
 * `held` are the deliveries as they stand now, whatever this statement's snapshot says: the lock brings the newest version.
 * So `before` and `after` of each time are exact, and with them the counts. Rows of `delivery_clicks` are written under the
 * same locks; what an upsert there replaced comes back as `moved_from`. 3 and 4 are the ranks of `delivered` and `shown`.
 */
const statement = (skipLocked: string): string => `
  WITH reported AS MATERIALIZED (
    SELECT * FROM unnest($1::text[], $2::bigint[], $3::uuid[], $4::timestamptz[], $5::text[], $6::smallint[], $7::timestamptz[],
      $8::timestamptz[], $9::timestamptz[], $10::timestamptz[]) WITH ORDINALITY
      AS r (app_id, device_id, message_id, floor, state, rank, delivered_at, shown_at, opened_at, dismissed_at, place)
  ), held AS MATERIALIZED (
    SELECT r.*, d.rank AS old_rank, d.old_delivered, d.old_shown, d.old_opened, d.old_dismissed
    FROM reported r CROSS JOIN LATERAL (
      SELECT rank, delivered_at AS old_delivered, shown_at AS old_shown, opened_at AS old_opened,
        dismissed_at AS old_dismissed
      FROM deliveries
      WHERE app_id = r.app_id AND message_id = r.message_id AND device_id = r.device_id
      FOR NO KEY UPDATE ${skipLocked}
    ) d
  ), news AS MATERIALIZED (
    SELECT * FROM held
    WHERE rank > old_rank OR delivered_at < coalesce(old_delivered, 'infinity') OR shown_at < coalesce(old_shown, 'infinity')
      OR opened_at < coalesce(old_opened, 'infinity') OR dismissed_at < coalesce(old_dismissed, 'infinity')
  ), moved AS (
    UPDATE deliveries d
    SET state = CASE WHEN n.rank > d.rank THEN n.state ELSE d.state END, rank = greatest(n.rank, d.rank),
      error_code = CASE WHEN n.rank > d.rank THEN NULL ELSE d.error_code END,
      reason = CASE WHEN n.rank > d.rank THEN NULL ELSE d.reason END,
      edge_id = CASE WHEN n.rank > d.rank THEN NULL ELSE d.edge_id END,
      delivered_at = least(d.delivered_at, n.delivered_at), shown_at = least(d.shown_at, n.shown_at),
      opened_at = least(d.opened_at, n.opened_at), dismissed_at = least(d.dismissed_at, n.dismissed_at), updated_at = $11
    FROM news n
    WHERE d.app_id = n.app_id AND d.message_id = n.message_id AND d.device_id = n.device_id
  ), clicked AS (
    INSERT INTO delivery_clicks AS c (app_id, message_id, device_id, kind, name_key, name, first_at)
    SELECT h.app_id, h.message_id, h.device_id, k.kind, k.name_key, k.name, k.at
    FROM unnest($12::bigint[], $13::text[], $14::text[], $15::bytea[], $16::timestamptz[]) AS k (place, kind, name, name_key, at)
    JOIN held h ON h.place = k.place
    ON CONFLICT (app_id, message_id, device_id, kind, name_key) DO UPDATE
    SET first_at = excluded.first_at, moved_from = c.first_at WHERE excluded.first_at < c.first_at
    RETURNING c.app_id, c.message_id, c.device_id, c.kind, c.name_key, c.name, c.moved_from, c.first_at
${COUNT_CHANGES}${END_NEEDLESS}
  SELECT place FROM held`;

const STATEMENTS: Record<WhenHeld, string> = { skip: statement('SKIP LOCKED'), wait: statement('') };
