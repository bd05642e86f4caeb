import { deliveryStateRank } from '@postrider/domain';
import type { PageKey } from '../pages/page-key';
import { parameter, sql, type Sql } from '../sql';

/** Devices in these zones (null: those that do not say) wait until then; null: the message is over by then. */
export interface QuietZone {
  zone: string | null;
  until: Date | null;
}

/**
 * The statement of `PacingRepository.putOffQuiet`; its row says how many devices are left on the page. A worker that held the page
 * before must not write any more (`leased_by`): part of it is somebody else's now.
 */
export function putOffQuietStatement(page: PageKey, quiet: readonly QuietZone[], at: Date): Sql {
  const [appId, messageId, pageId] = [parameter(page.appId), parameter(page.messageId), parameter(page.pageId)];
  const now = parameter(at);
  const pending = parameter(deliveryStateRank('pending'), 'smallint');
  const zones = JSON.stringify(quiet.map(({ zone, until }) => ({ zone: zone ?? '', until })));
  return sql`
  WITH page AS MATERIALIZED (
    SELECT p.* FROM pages p WHERE p.app_id = ${appId} AND p.message_id = ${messageId} AND p.id = ${pageId}
  ), device AS MATERIALIZED (
    SELECT member.id, member.place, quiet.zone IS NOT NULL AS is_quiet, quiet.until
    FROM page CROSS JOIN LATERAL unnest(page.device_ids) WITH ORDINALITY AS member (id, place)
    LEFT JOIN LATERAL (
      SELECT q.zone, q.until FROM json_to_recordset(${zones}::json) AS q (zone text, until timestamptz)
      WHERE q.zone = coalesce((SELECT i.time_zone FROM installations i WHERE i.app_id = ${appId} AND i.id = member.id), '')
    ) quiet ON true
    WHERE coalesce((
      SELECT d.rank FROM deliveries d WHERE d.app_id = ${appId} AND d.message_id = ${messageId} AND d.device_id = member.id
    ), ${pending}) = ${pending}
  ), put_off AS (
    INSERT INTO pages (app_id, message_id, id, vendor, lane, device_ids, attempt, first_attempt_at, is_unanswered, is_steered,
      starts_at, expires_at, waits_for, not_before, wake_at, created_at)
    SELECT ${appId}, ${messageId}, gen_random_uuid(), page.vendor, page.lane, waiting.ids, page.attempt, page.first_attempt_at,
      page.is_unanswered, true, page.starts_at, page.expires_at, 'quiet_hours', waiting.until, waiting.until - interval '3 seconds',
      ${now}
    FROM page CROSS JOIN (
      SELECT until, array_agg(id ORDER BY place) AS ids FROM device WHERE until IS NOT NULL GROUP BY until
    ) waiting
  ), skipped AS (
    INSERT INTO deliveries AS d (app_id, message_id, device_id, state, rank, vendor, error_code, reason, attempt, created_at,
      updated_at)
    SELECT ${appId}, ${messageId}, device.id, 'skipped', ${deliveryStateRank('skipped')}::smallint, page.vendor, 'quiet_hours',
      'The quiet hours end after the message expires', page.attempt, ${now}, ${now}
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
    finished_at = CASE WHEN kept.ids = '{}' THEN ${now}::timestamptz END
  FROM kept
  WHERE p.app_id = ${appId} AND p.message_id = ${messageId} AND p.id = ${pageId}
  RETURNING cardinality(kept.ids) AS devices`;
}
