import type { DeliveryState } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';

/** What a device reported about one message, all its reports taken together. */
export interface Receipts {
  messageId: string;
  /** The furthest state that was reported. */
  state: DeliveryState;
  /** `deliveryStateRank(state)`. */
  rank: number;
  deliveredAt: Date | null;
  shownAt: Date | null;
  openedAt: Date | null;
  dismissedAt: Date | null;
}

/**
 * Records what one device reported. A delivery only moves forward, and each time is the first that was reported, whatever
 * the order of the reports. A report that overtakes the record of the sending makes the record, if the device is on an
 * open page of that message; reports about messages that were never meant for the device are ignored. A report that
 * confirms the message to its user ends the fallback SMS that waits for him.
 *
 * @returns how many deliveries were reported on
 */
export async function recordReceipts(
  executor: Executor,
  appId: string,
  deviceId: string,
  receipts: readonly Receipts[],
  now: Date,
): Promise<number> {
  const recorded = await rows(executor, RECORD_RECEIPTS, [
    appId,
    deviceId,
    receipts.map(({ messageId }) => messageId),
    receipts.map(({ state }) => state),
    receipts.map(({ rank }) => rank),
    receipts.map(({ deliveredAt }) => deliveredAt),
    receipts.map(({ shownAt }) => shownAt),
    receipts.map(({ openedAt }) => openedAt),
    receipts.map(({ dismissedAt }) => dismissedAt),
    now,
  ]);
  return recorded.length;
}

/**
 * Whoever claims fallbacks holds their locks: he is passed by, and looks at the deliveries himself before he sends. 3 and 4
 * are the ranks of `delivered` and `shown`.
 */
const RECORD_RECEIPTS = `
  WITH reported AS (
    SELECT * FROM unnest($3::uuid[], $4::text[], $5::smallint[], $6::timestamptz[], $7::timestamptz[], $8::timestamptz[],
      $9::timestamptz[]) AS r (message_id, state, rank, delivered_at, shown_at, opened_at, dismissed_at)
  ), meant AS (
    SELECT r.*, coalesce(d.vendor, p.vendor) AS vendor
    FROM reported r
    LEFT JOIN LATERAL (
      SELECT vendor, true AS is_recorded FROM deliveries
      WHERE app_id = $1 AND message_id = r.message_id AND device_id = $2::bigint LIMIT 1
    ) d ON true
    LEFT JOIN LATERAL (
      SELECT vendor FROM pages
      WHERE d.is_recorded IS NULL AND app_id = $1 AND message_id = r.message_id AND state <> 'finished' AND fence > 0
        AND device_ids @> ARRAY[$2::bigint]
      LIMIT 1
    ) p ON true
    WHERE d.is_recorded OR p.vendor IS NOT NULL
  ), needless AS MATERIALIZED (
    SELECT f.message_id, f.user_id
    FROM fallbacks f JOIN meant ON meant.message_id = f.message_id
    WHERE f.app_id = $1 AND f.message_id = ANY ($3::uuid[])
      AND f.user_id = (SELECT user_id FROM installations WHERE app_id = $1 AND id = $2::bigint)
      AND f.state = 'waiting' AND meant.rank >= CASE WHEN f.policy = 'SHOWN' THEN 4 ELSE 3 END
    FOR UPDATE OF f SKIP LOCKED
  ), confirmed AS (
    UPDATE fallbacks f
    SET state = 'confirmed', wake_at = NULL, error_code = NULL, reason = NULL, ended_at = $10, updated_at = $10
    WHERE f.app_id = $1 AND f.message_id = ANY (ARRAY(SELECT message_id FROM needless))
      AND f.user_id = (SELECT user_id FROM needless LIMIT 1)
  )
  INSERT INTO deliveries AS d (app_id, message_id, device_id, state, rank, vendor, delivered_at, shown_at, opened_at,
    dismissed_at, created_at, updated_at)
  SELECT $1, message_id, $2::bigint, state, rank, vendor, delivered_at, shown_at, opened_at, dismissed_at, $10, $10 FROM meant
  ON CONFLICT (app_id, message_id, device_id) DO UPDATE
  SET state = CASE WHEN excluded.rank > d.rank THEN excluded.state ELSE d.state END, rank = greatest(excluded.rank, d.rank),
    error_code = CASE WHEN excluded.rank > d.rank THEN NULL ELSE d.error_code END,
    reason = CASE WHEN excluded.rank > d.rank THEN NULL ELSE d.reason END,
    delivered_at = least(d.delivered_at, excluded.delivered_at), shown_at = least(d.shown_at, excluded.shown_at),
    opened_at = least(d.opened_at, excluded.opened_at), dismissed_at = least(d.dismissed_at, excluded.dismissed_at),
    updated_at = $10
  RETURNING 1`;
