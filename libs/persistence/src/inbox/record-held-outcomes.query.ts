import { type DeliveryState, deliveryStateRank } from '@postrider/domain';
import type { Executor } from '../database/executor';
import { preparedRows } from '../database/prepared-rows';
import { sql } from '../sql';
import { countedPlatform } from '../statistics/message-count-key';

/** A page that an edge holds, and what became of devices on it: each at most once. */
export interface HeldOutcomes {
  appId: string;
  messageId: string;
  pageId: string;
  deviceIds: string[];
  /** When each came about, in milliseconds since 1970. */
  times: number[];
  /** Whether every device of the page has an outcome with these: the page goes. */
  isComplete: boolean;
}

/** How they all ended. */
export interface HeldEnd {
  state: Extract<DeliveryState, 'delivered' | 'sent' | 'failed' | 'skipped'>;
  errorCode: string | null;
  reason: string | null;
}

/** A device of a page that had its row already, or whose page is gone. */
export interface NotHeld {
  /** In `pages`. */
  place: number;
  deviceId: string;
}

/**
 * Writes the delivery rows of devices on pages that an edge holds, each once, with its outcome; counts those that were
 * delivered by hour and platform, and ends the fallback SMS that they make needless: all in one statement. Whoever ends such
 * a page waits for it.
 *
 * @param pages in the order of application, message and page, in which they are locked
 * @returns those that were not written here
 */
export async function recordHeldOutcomes(
  executor: Executor,
  pages: readonly HeldOutcomes[],
  { state, errorCode, reason }: HeldEnd,
  now: Date,
): Promise<NotHeld[]> {
  const statement = state === 'delivered' ? RECORD_DELIVERED : RECORD;
  return preparedRows<NotHeld>(executor, statement, [
    pages.map(({ appId }) => appId),
    pages.map(({ messageId }) => messageId),
    pages.map(({ pageId }) => pageId),
    pages.map(({ isComplete }) => isComplete),
    pages.flatMap(({ deviceIds }, place) => deviceIds.map(() => place + 1)),
    pages.flatMap(({ deviceIds }) => deviceIds),
    pages.flatMap(({ times }) => times),
    state,
    deliveryStateRank(state),
    errorCode,
    reason,
    now,
  ]);
}

const TOLD = `
  told AS MATERIALIZED (
    SELECT * FROM unnest($5::integer[], $6::bigint[], $7::float8[]) AS t (place, device_id, at)
  ), held AS MATERIALIZED (
    SELECT k.*, p.created_at
    FROM unnest($1::text[], $2::uuid[], $3::uuid[], $4::boolean[]) WITH ORDINALITY
      AS k (app_id, message_id, id, is_complete, place)
    CROSS JOIN LATERAL (
      SELECT created_at FROM pages WHERE app_id = k.app_id AND message_id = k.message_id AND id = k.id AND edge_id IS NOT NULL
      FOR NO KEY UPDATE
    ) p
  ), recorded AS (
    INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor, error_code, reason, created_at, sent_at,
      delivered_at, updated_at)
    SELECT h.app_id, h.message_id, t.device_id, $8::text, $9::smallint, 'connection', $10::text, $11::text, h.created_at,
      CASE WHEN $8 = 'sent' THEN to_timestamp(t.at / 1000) END,
      CASE WHEN $8 = 'delivered' THEN to_timestamp(t.at / 1000) END, $12::timestamptz
    FROM told t JOIN held h ON h.place = t.place
    ON CONFLICT (app_id, message_id, device_id) DO NOTHING
    RETURNING app_id, message_id, device_id, delivered_at, created_at
  ), gone AS (
    DELETE FROM pages p USING held h
    WHERE h.is_complete AND p.app_id = h.app_id AND p.message_id = h.message_id AND p.id = h.id
      AND p.message_id = ANY ($2::uuid[]) AND p.edge_id IS NOT NULL
  )`;

const NOT_HELD = `
  SELECT t.place - 1 AS place, t.device_id::text AS "deviceId"
  FROM told t LEFT JOIN held h ON h.place = t.place
  WHERE NOT EXISTS (SELECT FROM recorded r WHERE r.device_id = t.device_id AND r.message_id = h.message_id AND r.app_id = h.app_id)`;

/** Whether any fallback hangs on a message is asked once, not for every device. */
const DELIVERED = `
  members AS MATERIALIZED (
    SELECT r.app_id, r.message_id, r.device_id, date_trunc('hour', greatest(r.delivered_at, r.created_at), 'UTC') AS hour,
      i.user_id, coalesce(i.platform, 'other') AS platform
    FROM recorded r LEFT JOIN LATERAL (
      SELECT i.user_id, ${countedPlatform(sql`i.device_type`).toQuery().text} AS platform FROM installations i
      WHERE i.app_id = r.app_id AND i.id = r.device_id LIMIT 1
    ) i ON true
  ), counted AS (
    INSERT INTO message_counts AS m (app_id, message_id, kind, hour, platform, count)
    SELECT app_id, message_id, 'delivered', hour, platform, count(*) FROM members
    GROUP BY app_id, message_id, hour, platform ORDER BY app_id, message_id, hour, platform
    ON CONFLICT (app_id, message_id, kind, name_key, hour, platform) DO UPDATE SET count = m.count + excluded.count
  ), covered AS MATERIALIZED (
    SELECT DISTINCT app_id, message_id FROM held h
    WHERE (SELECT f.app_id FROM fallbacks f WHERE f.app_id = h.app_id AND f.message_id = h.message_id LIMIT 1) IS NOT NULL
  ), needless AS MATERIALIZED (
    SELECT f.app_id, f.message_id, f.user_id
    FROM covered c JOIN members m ON m.app_id = c.app_id AND m.message_id = c.message_id
    CROSS JOIN LATERAL (
      SELECT f.app_id, f.message_id, f.user_id FROM fallbacks f
      WHERE f.app_id = m.app_id AND f.message_id = m.message_id AND f.user_id = m.user_id AND f.state = 'waiting'
        AND f.policy IS DISTINCT FROM 'SHOWN'
      FOR UPDATE SKIP LOCKED
    ) f
  ), confirmed AS (
    UPDATE fallbacks f
    SET state = 'confirmed', wake_at = NULL, error_code = NULL, reason = NULL, ended_at = $12, updated_at = $12
    FROM needless n WHERE f.app_id = n.app_id AND f.message_id = n.message_id AND f.user_id = n.user_id
  )`;

const RECORD = `WITH ${TOLD}${NOT_HELD}`;
const RECORD_DELIVERED = `WITH ${TOLD},${DELIVERED}${NOT_HELD}`;
