import { deliveryStateRank, type DeliveryState } from '@postrider/domain';
import { groupIntoPages, type Parameter, parameter, sql, type Sql } from '@postrider/persistence';

/** Values and expressions of the statement around a distribution. */
export interface DistributionTerms {
  app: Parameter;
  message: Parameter;
  lane: Sql;
  pageSize: Parameter;
  now: Parameter;
  /** When the sweeper looks at a page that nobody has claimed. */
  wakeAt: Sql;
  /** A condition under which nothing is sent any more, and what every reachable device's delivery is then. */
  isOver: Sql;
  endState: Parameter;
}

const rank = (state: DeliveryState): Parameter => parameter(deliveryStateRank(state), 'smallint');

/** The states that a delivery begins with, and their ranks, as rows of `outcome (state, rank)`. */
export const FIRST_OUTCOMES = sql`(VALUES ('skipped', ${rank('skipped')}), ('expired', ${rank('expired')}),
      ('cancelled', ${rank('cancelled')}), ('pending', ${rank('pending')})) AS outcome (state, rank)`;

/** How a page begins that an edge holds, by the edge's id: it is nobody else's to claim. */
export const HELD_PAGE = {
  state: (edge: Sql): Sql => sql`CASE WHEN ${edge} IS NULL THEN 'waiting' ELSE 'running' END`,
  fence: (edge: Sql): Sql => sql`(${edge} IS NOT NULL)::integer`,
} as const;

/**
 * What becomes of routed devices, as common table expressions that follow one named `routed (id, vendor, reason, edge_id)`:
 *
 * - `paged (id, vendor)`: pages of at most `pageSize` devices of one push service, or of one edge that holds their connections;
 * - `recorded`: delivery rows of devices that need no page: `pending` in the inbox of the own connection, `skipped` with
 *   the reason, `expired` or `cancelled`;
 * - `tally (reachable, on_pages, in_inboxes, by_vendor)`: one row.
 */
export function distributionSql(terms: DistributionTerms): Sql {
  const { app, message, lane, pageSize, now, wakeAt, isOver, endState } = terms;
  const devices = sql`routed WHERE (vendor <> 'connection' OR edge_id IS NOT NULL) AND NOT ${isOver}`;
  const edge = sql`edge_id`;
  return sql`
  paged AS (
    INSERT INTO pages (app_id, message_id, id, vendor, lane, device_ids, edge_id, state, fence, wake_at, created_at)
    SELECT ${app}, ${message}::uuid, gen_random_uuid(), vendor, ${lane}, device_ids, edge_id,
      ${HELD_PAGE.state(edge)}, ${HELD_PAGE.fence(edge)}, CASE WHEN edge_id IS NULL THEN ${wakeAt} END, ${now}
    FROM (${groupIntoPages({ devices, keys: sql`vendor, edge_id`, pageSize })}) page
    RETURNING id, vendor
  ), recorded AS (
    INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor, reason, created_at, updated_at)
    SELECT ${app}, ${message}::uuid, r.id, outcome.state, outcome.rank, r.vendor,
      CASE WHEN outcome.state IN ('skipped', 'pending') THEN r.reason END, ${now}, ${now}
    FROM routed r
    JOIN ${FIRST_OUTCOMES}
      ON outcome.state = CASE WHEN r.vendor IS NULL THEN 'skipped' WHEN ${isOver} THEN ${endState} ELSE 'pending' END
    WHERE r.vendor IS NULL OR (r.vendor = 'connection' AND r.edge_id IS NULL) OR ${isOver}
  ), tally AS (
    SELECT coalesce(sum(devices), 0)::bigint AS reachable,
      coalesce(sum(devices) FILTER (WHERE vendor <> 'connection' AND NOT ${isOver}), 0)::bigint AS on_pages,
      coalesce(sum(devices) FILTER (WHERE vendor = 'connection' AND NOT ${isOver}), 0)::bigint AS in_inboxes,
      coalesce(jsonb_object_agg(vendor, devices), '{}') AS by_vendor
    FROM (SELECT vendor, count(*) AS devices FROM routed WHERE vendor IS NOT NULL GROUP BY vendor) by_vendor
  )`;
}

/** The edges that hold connections of routed devices as one JSON value, in a statement that holds `distributionSql`. */
export const AWAKE_EDGES = sql`(
  SELECT coalesce(jsonb_agg(DISTINCT edge_id), '[]') FROM routed WHERE edge_id IS NOT NULL
)`;

/** The written pages of push services as one JSON value, in a statement that holds `distributionSql`. */
export const WRITTEN_PAGES = sql`(
  SELECT coalesce(jsonb_agg(jsonb_build_object('pageId', id, 'vendor', vendor)), '[]') FROM paged
  WHERE vendor <> 'connection'
)`;
