import { NOW_OR_NEVER_MS } from '@postrider/domain';
import { groupIntoPages, literal, PAGE_ENQUEUED_AHEAD, type Parameter, sql, type Sql } from '@postrider/persistence';
import { type DistributionTerms, FIRST_OUTCOMES } from './distribution-sql';
import type { ZonePlan } from './plan-zones';

/** The terms of every distribution, and the speed of the message. */
interface SpreadTerms extends DistributionTerms {
  /** Devices per second; NULL: no limit. */
  rate: Parameter;
}

/** A page whose time is later than the end of its message wakes this long after the end: nothing may be sent any more then. */
const ENDED_AFTER = sql`interval ${literal(`${NOW_OR_NEVER_MS} milliseconds`)}`;

/**
 * Returns common table expressions that write pages and delivery rows for the routed devices of a steered message. They
 * have the same names and columns as those of `distributionSql`, but `tally` has no `by_vendor`. They follow one named
 * `routed`, which also has `due`, `starts`, `ends`, `waits_for`, `is_held` and `is_late` (`steeredSql`), and one named
 * `held` with `planned_from` and `expires_at`.
 *
 * Devices of one moment share pages. If the devices are due now, the pages of a message with a rate are spread over the
 * time that the rate takes. Devices whose own connection gets the message later wait on pages of vendor `connection`.
 * `paged` also has `not_before`. `spread (through)` is the moment up to which pages are planned.
 */
export function spreadSql(terms: SpreadTerms): Sql {
  const { app, message, day, lane, pageSize, now, wakeAt, isOver, endState, rate } = terms;
  const isOnPage = sql`r.vendor IS NOT NULL AND NOT ${isOver} AND (r.vendor <> 'connection' OR r.is_held)`;
  const devices = sql`routed r WHERE ${isOnPage}`;
  const keys = sql`vendor, due, starts, ends, waits_for`;
  return sql`
  cut AS MATERIALIZED (
    SELECT gen_random_uuid() AS id, page.*, cardinality(page.device_ids) AS size FROM (${groupIntoPages({ devices, keys, pageSize })}) page
  ), placed AS MATERIALIZED (
    SELECT cut.*, CASE WHEN due IS NOT NULL THEN due WHEN ${rate} IS NOT NULL THEN held.planned_from
      + make_interval(secs => (coalesce(sum(size) FILTER (WHERE due IS NULL) OVER (
        ORDER BY place, vendor ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) / ${rate}::numeric)::float8) END AS not_before
    FROM cut CROSS JOIN held
  ), paged AS (
    INSERT INTO ${day.pages} (app_id, message_id, id, vendor, lane, device_ids, is_steered, starts_at, expires_at, waits_for,
      not_before, wake_at, created_at)
    SELECT ${app}, ${message}::uuid, id, vendor, ${lane}, device_ids, true, starts, ends, waits_for, not_before,
      least(CASE WHEN not_before IS NULL THEN ${wakeAt} WHEN vendor = 'connection' THEN not_before
        WHEN not_before > ${now} + ${PAGE_ENQUEUED_AHEAD} THEN not_before - ${PAGE_ENQUEUED_AHEAD}
        ELSE not_before + (${wakeAt} - ${now}) END, coalesce(ends, (SELECT expires_at FROM held)) + ${ENDED_AFTER}),
      ${now}
    FROM placed
    RETURNING id, vendor, not_before
  ), spread AS (
    SELECT max(held.planned_from) + make_interval(
      secs => (coalesce(sum(size) FILTER (WHERE due IS NULL), 0) / ${rate}::numeric)::float8) AS through
    FROM held LEFT JOIN cut ON true
  ), recorded AS (
    INSERT INTO ${day.deliveries} (app_id, message_id, device_id, state, rank, vendor, error_code, reason, edge_id, created_at, updated_at)
    SELECT ${app}, ${message}::uuid, r.id, outcome.state, outcome.rank, coalesce(r.vendor, r.push_type),
      CASE WHEN r.is_late THEN 'quiet_hours' END,
      CASE WHEN r.is_late THEN 'The quiet hours end after the message expires'
        WHEN outcome.state IN ('skipped', 'pending') THEN r.reason END,
      CASE WHEN outcome.state = 'pending' THEN r.edge_id END, ${now}, ${now}
    FROM routed r
    JOIN ${FIRST_OUTCOMES}
      ON outcome.state = CASE WHEN r.vendor IS NULL THEN 'skipped' WHEN ${isOver} THEN ${endState} ELSE 'pending' END
    WHERE NOT (${isOnPage})
  ), tally AS (
    SELECT coalesce(sum(devices), 0)::bigint AS reachable, coalesce(sum(devices) FILTER (WHERE on_page), 0)::bigint AS on_pages,
      coalesce(sum(devices) FILTER (WHERE NOT on_page AND NOT ${isOver}), 0)::bigint AS waiting
    FROM (SELECT ${isOnPage} AS on_page, count(*) AS devices FROM routed r WHERE r.vendor IS NOT NULL GROUP BY 1) reached
  )`;
}

/**
 * Returns the devices of `routed` with the plan of their time zone (`ZonePlan`), as the columns that `spreadSql` reads.
 *
 * Users who wait for the winner wait until the latest possible time; the choice of the winner brings it forward.
 * @param routed a SELECT with `id`, `vendor`, `push_type`, `reason`, `edge_id`, `time_zone` and `waits_for_winner`
 */
export function steeredSql(routed: Sql, plans: readonly ZonePlan[], hasRate: boolean): Sql {
  const zones = plans.map(({ zone }) => zone);
  const isWaiting = sql`(w.waits_for_winner AND (SELECT is_testing FROM held))`;
  const isHeld = hasRate ? sql`true` : sql`(z.due IS NOT NULL OR ${isWaiting})`;
  return sql`SELECT w.id, CASE WHEN NOT z."isLate" THEN w.vendor END AS vendor, w.push_type, w.reason,
      CASE WHEN NOT (${isHeld}) THEN w.edge_id END AS edge_id, 
      CASE WHEN ${isWaiting} THEN coalesce(z.ends, (SELECT expires_at FROM held)) ELSE z.due END AS due, z.starts, z.ends,
      CASE WHEN ${isWaiting} THEN 'winner' ELSE z."waitsFor" END AS waits_for,
      ${isHeld} AS is_held,
      z."isLate" AND w.vendor IS NOT NULL AS is_late
    FROM (${routed}) w
    JOIN json_to_recordset(${JSON.stringify(plans)}::json) AS z (zone text, due timestamptz, starts timestamptz, ends timestamptz, "waitsFor" text,
      "isLate" boolean)
      ON z.zone = CASE WHEN w.time_zone = ANY (${zones}::text[]) THEN w.time_zone ELSE '' END`;
}

/**
 * Returns the written pages that are to be enqueued now, each with the moment from which it may be sent, as one JSON
 * value.
 */
export function writtenPagesSql(now: Parameter): Sql {
  return sql`(
    SELECT coalesce(jsonb_agg(jsonb_build_object('pageId', id, 'vendor', vendor, 'notBefore', not_before)), '[]') FROM paged
    WHERE vendor <> 'connection' AND (not_before IS NULL OR not_before <= ${now} + ${PAGE_ENQUEUED_AHEAD})
  )`;
}
