import { deliveryStateRank } from '@postrider/domain';
import { HELD_PAGE } from './distribution-sql';

/** Placeholders and expressions of the statement around a distribution of several messages. */
export interface NamedDistributionTerms {
  app: string;
  pageSize: string;
  /** Whether pages of push services pass the gate. */
  isSteered: string;
}

/** When the sweeper looks at a page that no delivery worker has claimed. */
const UNCLAIMED_AFTER = `interval '1 second'`;

/**
 * What becomes of the routed devices of several messages, as common table expressions that follow one named
 * `sent (id, lane, written_at, …)`, a row for each message, and one named `routed (message_id, id, vendor, reason, edge_id)`:
 *
 * - `paged (message_id, id, vendor)`: as in `distributionSql`, each message's pages of its own;
 * - `recorded`: delivery rows of devices that need no page;
 * - `tallied`: `sent` with `reachable`, `on_pages`, `in_inboxes` and `by_vendor`.
 */
export function namedDistributionSql({ app, pageSize, isSteered }: NamedDistributionTerms): string {
  return `numbered AS (
    SELECT message_id, id, vendor, edge_id,
      (row_number() OVER (PARTITION BY message_id, vendor, edge_id ORDER BY id) - 1) / ${pageSize} AS place
    FROM routed WHERE vendor <> 'connection' OR edge_id IS NOT NULL
  ), cut AS (
    SELECT message_id, vendor, edge_id, array_agg(id ORDER BY id) AS device_ids FROM numbered
    GROUP BY message_id, vendor, edge_id, place
  ), paged AS (
    INSERT INTO pages (app_id, message_id, id, vendor, lane, device_ids, edge_id, state, fence, wake_at, created_at, is_steered)
    SELECT ${app}, m.id, gen_random_uuid(), cut.vendor, m.lane, cut.device_ids, cut.edge_id, ${HELD_PAGE.state('cut.edge_id')},
      ${HELD_PAGE.fence('cut.edge_id')}, CASE WHEN cut.edge_id IS NULL THEN m.written_at + ${UNCLAIMED_AFTER} END, m.written_at,
      cut.edge_id IS NULL AND ${isSteered}
    FROM cut JOIN sent m ON m.id = cut.message_id
    RETURNING message_id, id, vendor
  ), recorded AS (
    INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor, reason, created_at, updated_at)
    SELECT ${app}, m.id, r.id, CASE WHEN r.vendor IS NULL THEN 'skipped' ELSE 'pending' END,
      CASE WHEN r.vendor IS NULL THEN ${deliveryStateRank('skipped')} ELSE ${deliveryStateRank('pending')} END, r.vendor,
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
export const NAMED_PAGES_AND_EDGES = `written AS (
    SELECT message_id, jsonb_agg(jsonb_build_object('pageId', id, 'vendor', vendor)) AS pages FROM paged
    WHERE vendor <> 'connection' GROUP BY message_id
  ), awake AS (
    SELECT message_id, jsonb_agg(DISTINCT edge_id) AS edges FROM routed WHERE edge_id IS NOT NULL GROUP BY message_id
  )`;
