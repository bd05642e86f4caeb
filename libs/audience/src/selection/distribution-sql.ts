import { deliveryStateRank, type DeliveryState } from '@postrider/domain';

/** Placeholders and expressions of the statement around a distribution. */
export interface DistributionTerms {
  app: string;
  message: string;
  lane: string;
  pageSize: string;
  now: string;
  /** When the sweeper looks at a page that nobody has claimed. */
  wakeAt: string;
  /** A condition under which nothing is sent any more, and what every reachable device's delivery is then. */
  isOver: string;
  endState: string;
}

const rank = (state: DeliveryState): number => deliveryStateRank(state);

/** How a page begins that an edge holds, by the edge's id: it is nobody else's to claim. */
export const HELD_PAGE = {
  state: (edge: string): string => `CASE WHEN ${edge} IS NULL THEN 'waiting' ELSE 'running' END`,
  fence: (edge: string): string => `(${edge} IS NOT NULL)::integer`,
} as const;

/**
 * What becomes of routed devices, as common table expressions that follow one named `routed (id, vendor, reason, edge_id)`:
 *
 * - `paged (id, vendor)`: pages of at most `pageSize` devices of one push service, or of one edge that holds their connections;
 * - `recorded`: delivery rows of devices that need no page: `pending` in the inbox of the own connection, `skipped` with
 *   the reason, `expired` or `cancelled`;
 * - `tally (reachable, on_pages, in_inboxes, by_vendor)`: one row.
 */
export function distributionSql(terms: DistributionTerms): string {
  const { app, message, lane, pageSize, now, wakeAt, isOver, endState } = terms;
  return `
  numbered AS (
    SELECT id, vendor, edge_id,
      (row_number() OVER (PARTITION BY vendor, edge_id ORDER BY id) - 1) / ${pageSize}::integer AS place
    FROM routed WHERE (vendor <> 'connection' OR edge_id IS NOT NULL) AND NOT ${isOver}
  ), paged AS (
    INSERT INTO pages (app_id, message_id, id, vendor, lane, device_ids, edge_id, state, fence, wake_at, created_at)
    SELECT ${app}, ${message}::uuid, gen_random_uuid(), vendor, ${lane}, array_agg(id ORDER BY id), edge_id,
      ${HELD_PAGE.state('edge_id')}, ${HELD_PAGE.fence('edge_id')}, CASE WHEN edge_id IS NULL THEN ${wakeAt} END, ${now}
    FROM numbered GROUP BY vendor, edge_id, place
    RETURNING id, vendor
  ), recorded AS (
    INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor, reason, created_at, updated_at)
    SELECT ${app}, ${message}::uuid, r.id, outcome.state, outcome.rank, r.vendor,
      CASE WHEN outcome.state IN ('skipped', 'pending') THEN r.reason END, ${now}, ${now}
    FROM routed r
    JOIN (VALUES ('skipped', ${rank('skipped')}), ('expired', ${rank('expired')}),
      ('cancelled', ${rank('cancelled')}), ('pending', ${rank('pending')}))
      AS outcome (state, rank)
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
export const AWAKE_EDGES = `(
  SELECT coalesce(jsonb_agg(DISTINCT edge_id), '[]') FROM routed WHERE edge_id IS NOT NULL
)`;

/** The written pages of push services as one JSON value, in a statement that holds `distributionSql`. */
export const WRITTEN_PAGES = `(
  SELECT coalesce(jsonb_agg(jsonb_build_object('pageId', id, 'vendor', vendor)), '[]') FROM paged
  WHERE vendor <> 'connection'
)`;
