import { deliveryStateRank } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';
import type { PageKey } from '../pages/page-key';

/** Devices in these zones (null: those that do not say) wait until then; null: the message is over by then. */
export interface QuietZone {
  zone: string | null;
  until: Date | null;
}

/**
 * Takes the devices in `quiet` zones off a page, in the transaction that locked it: they go on pages of their own, one for
 * each end of their quiet hours, or are skipped. A page that nobody is left on is finished. Devices that have an outcome
 * already are not moved.
 *
 * @returns how many devices are left on the page
 */
export async function putOffQuietDevices(
  executor: Executor,
  page: PageKey,
  quiet: readonly QuietZone[],
  now: Date,
): Promise<number> {
  const zones = quiet.map(({ zone, until }) => ({ zone: zone ?? '', until }));
  const [left] = await rows<{ devices: number }>(executor, PUT_OFF, [
    page.appId,
    page.messageId,
    page.pageId,
    JSON.stringify(zones),
    now,
  ]);
  return left?.devices ?? 0;
}

/** A worker that held the page before must not write any more (`leased_by`): part of it is somebody else's now. */
const PUT_OFF = `
  WITH page AS MATERIALIZED (
    SELECT p.* FROM pages p WHERE p.app_id = $1 AND p.message_id = $2 AND p.id = $3
  ), device AS MATERIALIZED (
    SELECT member.id, member.place, quiet.zone IS NOT NULL AS is_quiet, quiet.until
    FROM page CROSS JOIN LATERAL unnest(page.device_ids) WITH ORDINALITY AS member (id, place)
    LEFT JOIN LATERAL (
      SELECT q.zone, q.until FROM json_to_recordset($4::json) AS q (zone text, until timestamptz)
      WHERE q.zone = coalesce((SELECT i.time_zone FROM installations i WHERE i.app_id = $1 AND i.id = member.id), '')
    ) quiet ON true
    WHERE coalesce((
      SELECT d.rank FROM deliveries d WHERE d.app_id = $1 AND d.message_id = $2 AND d.device_id = member.id
    ), 0) = 0
  ), put_off AS (
    INSERT INTO pages (app_id, message_id, id, vendor, lane, device_ids, attempt, first_attempt_at, is_unanswered, is_steered,
      starts_at, expires_at, waits_for, not_before, wake_at, created_at)
    SELECT $1, $2, gen_random_uuid(), page.vendor, page.lane, waiting.ids, page.attempt, page.first_attempt_at,
      page.is_unanswered, true, page.starts_at, page.expires_at, 'quiet_hours', waiting.until, waiting.until - interval '3 seconds', $5
    FROM page CROSS JOIN (
      SELECT until, array_agg(id ORDER BY place) AS ids FROM device WHERE until IS NOT NULL GROUP BY until
    ) waiting
  ), skipped AS (
    INSERT INTO deliveries AS d (app_id, message_id, device_id, state, rank, vendor, error_code, reason, attempt, created_at,
      updated_at)
    SELECT $1, $2, device.id, 'skipped', ${deliveryStateRank('skipped')}, page.vendor, 'quiet_hours',
      'The quiet hours end after the message expires', page.attempt, $5, $5
    FROM device CROSS JOIN page WHERE device.is_quiet AND device.until IS NULL
    ON CONFLICT (app_id, message_id, device_id) DO UPDATE
    SET state = excluded.state, rank = excluded.rank, vendor = excluded.vendor, error_code = excluded.error_code,
      reason = excluded.reason, updated_at = excluded.updated_at
    WHERE excluded.rank > d.rank
  ), kept AS MATERIALIZED (
    SELECT coalesce(array_agg(id ORDER BY place), '{}') AS ids FROM device WHERE NOT is_quiet
  )
  UPDATE pages p
  SET device_ids = kept.ids, leased_by = NULL,
    state = CASE WHEN kept.ids = '{}' THEN 'finished' ELSE 'waiting' END,
    wake_at = CASE WHEN kept.ids <> '{}' THEN p.wake_at END,
    finished_at = CASE WHEN kept.ids = '{}' THEN $5::timestamptz END
  FROM kept
  WHERE p.app_id = $1 AND p.message_id = $2 AND p.id = $3
  RETURNING cardinality(kept.ids) AS devices`;
