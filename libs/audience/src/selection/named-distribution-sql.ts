import { deliveryStateRank, type DeliveryState } from '@postrider/domain';
import { groupIntoPages, type Parameter, parameter, sql, type Sql } from '@postrider/persistence';
import { HELD_PAGE } from './distribution-sql';

/** Values and expressions of the statement around a distribution of several messages. */
export interface NamedDistributionTerms {
  app: Parameter;
  pageSize: Sql | Parameter;
  /** Whether pages of push services pass the gate. */
  isSteered: Sql;
}

const rank = (state: DeliveryState): Parameter => parameter(deliveryStateRank(state), 'smallint');

/** When the sweeper looks at a page that no delivery worker has claimed. */
const UNCLAIMED_AFTER = sql`interval '1 second'`;

/**
 * What becomes of the routed devices of several messages, as common table expressions that follow one named
 * `sent (id, lane, written_at, …)`, a row for each message, and one named `routed (message_id, id, vendor, reason, edge_id)`:
 *
 * - `paged (message_id, id, vendor)`: as in `distributionSql`, each message's pages of its own;
 * - `recorded`: delivery rows of devices that need no page;
 * - `tallied`: `sent` with `reachable`, `on_pages`, `in_inboxes` and `by_vendor`.
 */
export function namedDistributionSql({ app, pageSize, isSteered }: NamedDistributionTerms): Sql {
  const devices = sql`routed WHERE vendor <> 'connection' OR edge_id IS NOT NULL`;
  const edge = sql`page.edge_id`;
  return sql`paged AS (
    INSERT INTO pages (app_id, message_id, id, vendor, lane, device_ids, edge_id, state, fence, wake_at, created_at, is_steered)
    SELECT ${app}, m.id, gen_random_uuid(), page.vendor, m.lane, page.device_ids, page.edge_id, ${HELD_PAGE.state(edge)},
      ${HELD_PAGE.fence(edge)}, CASE WHEN page.edge_id IS NULL THEN m.written_at + ${UNCLAIMED_AFTER} END, m.written_at,
      page.edge_id IS NULL AND ${isSteered}
    FROM (${groupIntoPages({ devices, keys: sql`message_id, vendor, edge_id`, pageSize })}) page
    JOIN sent m ON m.id = page.message_id
    RETURNING message_id, id, vendor
  ), recorded AS (
    INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor, reason, created_at, updated_at)
    SELECT ${app}, m.id, r.id, CASE WHEN r.vendor IS NULL THEN 'skipped' ELSE 'pending' END,
      CASE WHEN r.vendor IS NULL THEN ${rank('skipped')} ELSE ${rank('pending')} END, r.vendor,
      r.reason, m.written_at, m.written_at
    FROM routed r JOIN sent m ON m.id = r.message_id
    WHERE r.vendor IS NULL OR (r.vendor = 'connection' AND r.edge_id IS NULL)
  ), tally AS (
    SELECT message_id, sum(devices) AS reachable, coalesce(sum(devices) FILTER (WHERE vendor <> 'connection'), 0) AS on_pages,
      coalesce(sum(devices) FILTER (WHERE vendor = 'connection'), 0) AS in_inboxes, jsonb_object_agg(vendor, devices) AS by_vendor
    FROM (SELECT message_id, vendor, count(*) AS devices FROM routed WHERE vendor IS NOT NULL GROUP BY message_id, vendor) v
    GROUP BY message_id
  ), tallied AS MATERIALIZED (
    SELECT m.*, coalesce(t.reachable, 0) AS reachable, coalesce(t.on_pages, 0) AS on_pages,
      coalesce(t.in_inboxes, 0) AS in_inboxes, coalesce(t.by_vendor, '{}') AS by_vendor
    FROM sent m LEFT JOIN tally t ON t.message_id = m.id
  )`;
}

/**
 * The written pages of push services and the edges to wake up, message by message, as common table expressions
 * `written (message_id, pages)` and `awake (message_id, edges)` in a statement that holds `namedDistributionSql`.
 */
export const NAMED_PAGES_AND_EDGES = sql`written AS (
    SELECT message_id, jsonb_agg(jsonb_build_object('pageId', id, 'vendor', vendor)) AS pages FROM paged
    WHERE vendor <> 'connection' GROUP BY message_id
  ), awake AS (
    SELECT message_id, jsonb_agg(DISTINCT edge_id) AS edges FROM routed WHERE edge_id IS NOT NULL GROUP BY message_id
  )`;
