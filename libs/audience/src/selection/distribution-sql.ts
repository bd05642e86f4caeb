import { deliveryStateRank, type DeliveryState } from '@postrider/domain';
import { groupIntoPages, type LedgerDay, type Parameter, parameter, sql, type Sql } from '@postrider/persistence';

/** Values and expressions of the statement around a distribution. */
export interface DistributionTerms {
  app: Parameter;
  message: Parameter;
  /** The day of the ledger that holds the message. */
  day: LedgerDay;
  lane: Sql;
  pageSize: Parameter;
  now: Parameter;
  /** When recovery looks at a page that nobody has claimed. */
  wakeAt: Sql;
  /** A condition: nothing is sent any more; and the state that the delivery of every reachable device then has. */
  isOver: Sql;
  endState: Parameter;
  /** True if messages for connections wait on pages of their own until these are opened. Then no device has an edge. */
  holdsConnections: boolean;
}

/** When recovery looks at a page that no delivery worker has claimed. */
export const UNCLAIMED_AFTER = sql`interval '1 second'`;
/** When recovery looks at a message that nobody has ended. */
export const UNENDED_AFTER = sql`interval '30 seconds'`;

const rank = (state: DeliveryState): Parameter => parameter(deliveryStateRank(state), 'smallint');

/** The first states of deliveries and their ranks, as rows of `outcome (state, rank)`. */
export const FIRST_OUTCOMES = sql`(VALUES ('skipped', ${rank('skipped')}), ('expired', ${rank('expired')}),
      ('cancelled', ${rank('cancelled')}), ('pending', ${rank('pending')})) AS outcome (state, rank)`;

/** The first state and fence of a page, by the id of the edge that owns it: no other process may claim such a page. */
export const HELD_PAGE = {
  state: (edge: Sql): Sql => sql`CASE WHEN ${edge} IS NULL THEN 'waiting' ELSE 'running' END`,
  fence: (edge: Sql): Sql => sql`(${edge} IS NOT NULL)::integer`,
} as const;

/**
 * Returns common table expressions that write pages and delivery rows for the devices of `routed (id, vendor,
 * push_type, reason, edge_id)`, which comes before them:
 *
 * - `paged (id, vendor)`: pages of at most `pageSize` devices of one push service, or of one edge that holds their
 *   connections, or of connections whose messages wait;
 * - `recorded`: delivery rows of devices that need no page: `pending`, waiting for their own connection, `skipped` with
 *   the reason, `expired` or `cancelled`;
 * - `tally (reachable, on_pages, waiting, by_vendor)`: one row.
 */
export function distributionSql(terms: DistributionTerms): Sql {
  const { app, message, day, lane, pageSize, now, wakeAt, isOver, endState } = terms;
  const isHeld = terms.holdsConnections ? sql`true` : sql`false`;
  const devices = sql`routed WHERE vendor IS NOT NULL AND (vendor <> 'connection' OR edge_id IS NOT NULL OR ${isHeld}) AND NOT ${isOver}`;
  const edge = sql`edge_id`;
  return sql`
  paged AS (
    INSERT INTO ${day.pages} (app_id, message_id, id, vendor, lane, device_ids, edge_id, state, fence, wake_at, created_at)
    SELECT ${app}, ${message}::uuid, gen_random_uuid(), vendor, ${lane}, device_ids, edge_id,
      ${HELD_PAGE.state(edge)}, ${HELD_PAGE.fence(edge)}, CASE WHEN vendor = 'connection' AND ${isHeld} THEN ${now} WHEN edge_id IS NULL THEN ${wakeAt} END, ${now}
    FROM (${groupIntoPages({ devices, keys: sql`vendor, edge_id`, pageSize })}) page
    RETURNING id, vendor
  ), recorded AS (
    INSERT INTO ${day.deliveries} (app_id, message_id, device_id, state, rank, vendor, reason, created_at, updated_at)
    SELECT ${app}, ${message}::uuid, r.id, outcome.state, outcome.rank, coalesce(r.vendor, r.push_type),
      CASE WHEN outcome.state IN ('skipped', 'pending') THEN r.reason END, ${now}, ${now}
    FROM routed r
    JOIN ${FIRST_OUTCOMES}
      ON outcome.state = CASE WHEN r.vendor IS NULL THEN 'skipped' WHEN ${isOver} THEN ${endState} ELSE 'pending' END
    WHERE r.vendor IS NULL OR (r.vendor = 'connection' AND r.edge_id IS NULL AND NOT ${isHeld}) OR ${isOver}
  ), tally AS (
    SELECT coalesce(sum(devices), 0)::bigint AS reachable,
      coalesce(sum(devices) FILTER (WHERE vendor <> 'connection' AND NOT ${isOver}), 0)::bigint AS on_pages,
      coalesce(sum(devices) FILTER (WHERE vendor = 'connection' AND NOT ${isOver}), 0)::bigint AS waiting,
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
