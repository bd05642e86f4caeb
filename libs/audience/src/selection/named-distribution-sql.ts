import { deliveryStateRank, type DeliveryVendor, type PushVendor } from '@postrider/domain';
import { groupIntoPages, type LedgerDay, literal, type Parameter, sql, type Sql } from '@postrider/persistence';
import type { DevicesByVendor, EdgeIds, WrittenPage } from './audience-selection';
import { HELD_PAGE, UNCLAIMED_AFTER } from './distribution-sql';

/**
 * Returns a subquery with one row for the devices of one message: arrays of their columns, in one order, and their
 * counts. So the statement has one row for each message, and no part of it has to be joined to another by the message.
 * Starting up a join costs PostgreSQL as much as several messages do.
 *
 * @param devices a query of `id`, `vendor`, `push_type`, `reason` and `edge_id`
 */
export function gatherDevices(devices: Sql): Sql {
  // PostgreSQL gets each aggregate ready by itself, but an aggregate that is written twice only once.
  const [reachable, onPages] = [sql`count(vendor)`, sql`count(*) FILTER (WHERE vendor <> 'connection')`];
  const ids = sql`array_agg(id)`;
  return sql`SELECT coalesce(cardinality(${ids}), 0) AS found, ${reachable} AS reachable, ${onPages} AS on_pages,
      ${reachable} - ${onPages} AS waiting, count(*) FILTER (WHERE ${NEEDS_NO_PAGE}) AS without_page,
      ${ids} AS ids, array_agg(vendor) AS vendors, array_agg(push_type) AS push_types, array_agg(reason) AS reasons,
      array_agg(edge_id) AS edges
    FROM (${devices}) device`;
}

/** A condition on a device: it gets a delivery row at once, and is on no page. */
const NEEDS_NO_PAGE = sql`(vendor IS NULL OR (vendor = 'connection' AND edge_id IS NULL))`;

/** Values and expressions of the statement around a distribution of several messages. */
interface NamedDistributionTerms {
  app: Parameter;
  /** The tables to write to. */
  day: Pick<LedgerDay, 'pages' | 'deliveries'>;
  pageSize: Sql | Parameter;
  /** The value of `is_steered` for pages of push services. */
  isSteered: Sql;
}

/**
 * Returns common table expressions that write pages and delivery rows for the devices of several messages. They follow
 * one named `sent (id, lane, written_at, …)`, with a row for each message and the columns of `gatherDevices`:
 *
 * - `paged (message_id, id, vendor, edge_id, devices)`: as in `distributionSql`; each message has pages of its own;
 * - `recorded`: delivery rows of devices that need no page.
 */
export function namedDistributionSql({ app, day, pageSize, isSteered }: NamedDistributionTerms): Sql {
  const onPages = sql`(
      SELECT m.id AS message_id, m.lane, m.written_at, unnest(m.ids) AS id, unnest(m.vendors) AS vendor, unnest(m.edges) AS edge_id
      FROM sent m WHERE m.reachable > 0
    ) device WHERE NOT ${NEEDS_NO_PAGE}`;
  const keys = sql`message_id, lane, written_at, vendor, edge_id`;
  const edge = sql`page.edge_id`;
  return sql`paged AS (
    INSERT INTO ${day.pages} (app_id, message_id, id, vendor, lane, device_ids, edge_id, state, fence, wake_at, created_at, is_steered)
    SELECT ${app}, page.message_id, gen_random_uuid(), page.vendor, page.lane, page.device_ids, page.edge_id,
      ${HELD_PAGE.state(edge)}, ${HELD_PAGE.fence(edge)}, CASE WHEN page.edge_id IS NULL THEN page.written_at + ${UNCLAIMED_AFTER} END,
      page.written_at, page.edge_id IS NULL AND ${isSteered}
    FROM (${groupIntoPages({ devices: onPages, keys, pageSize })}) page
    RETURNING message_id, id, vendor, edge_id, cardinality(device_ids) AS devices
  ), recorded AS (
    INSERT INTO ${day.deliveries} (app_id, message_id, device_id, state, rank, vendor, reason, created_at, updated_at)
    SELECT ${app}, message_id, id, CASE WHEN vendor IS NULL THEN 'skipped' ELSE 'pending' END,
      CASE WHEN vendor IS NULL THEN ${RANK.skipped}::smallint ELSE ${RANK.pending}::smallint END, coalesce(vendor, push_type),
      reason, written_at, written_at
    FROM (
      SELECT m.id AS message_id, m.written_at, unnest(m.ids) AS id, unnest(m.vendors) AS vendor,
        unnest(m.push_types) AS push_type, unnest(m.reasons) AS reason, unnest(m.edges) AS edge_id
      FROM sent m WHERE m.without_page > 0
    ) device WHERE ${NEEDS_NO_PAGE}
  )`;
}

const RANK = { skipped: literal(deliveryStateRank('skipped')), pending: literal(deliveryStateRank('pending')) };

/**
 * The columns of `PageRow` of a row of `paged`. The statement gives a row for each message and one for each of its
 * pages: to gather the pages of each message takes PostgreSQL longer than it takes this process.
 */
export const PAGE_ROWS = sql`SELECT message_id AS "messageId", id AS "pageId", vendor, edge_id AS edge, devices::integer FROM paged`;

/** A page that a statement has written. */
export interface PageRow {
  messageId: string;
  pageId: string;
  vendor: DeliveryVendor;
  /** The edge that owns it; null: a push service gets it. */
  edge: string | null;
  devices: number;
}

/** What a statement says of a message, and has written for it. */
interface WrittenMessage<Row> {
  row: Row;
  written: WrittenPages;
}

/**
 * Reads the rows of a statement that holds `namedDistributionSql`: a row for each message, and after those the rows of
 * `PAGE_ROWS`.
 */
export function readWritten<Row extends { messageId: string; waiting: number }>(
  found: readonly (Row | PageRow)[],
): WrittenMessage<Row>[] {
  const messages = new Map<string, WrittenMessage<Row>>();
  for (const row of found) {
    if (isPage(row)) messages.get(row.messageId)?.written.add(row);
    else messages.set(row.messageId, { row, written: new WrittenPages(row.waiting) });
  }
  return [...messages.values()];
}

/** The row of a message has the columns of a page too, without values. */
function isPage(row: object): row is PageRow {
  return 'pageId' in row && row.pageId !== null;
}

/** What a statement has written for one message. */
export class WrittenPages {
  readonly pages: WrittenPage[] = [];
  readonly edges: EdgeIds = [];
  readonly byVendor: DevicesByVendor = {};

  /** @param waiting the devices that are reached by their connection, now or later */
  constructor(waiting: number) {
    if (waiting > 0) this.byVendor.connection = waiting;
  }

  add({ pageId, vendor, edge, devices }: PageRow): void {
    if (vendor === 'connection') {
      if (edge !== null && !this.edges.includes(edge)) this.edges.push(edge);
      return;
    }
    this.pages.push({ pageId, vendor: vendor satisfies PushVendor });
    this.byVendor[vendor] = (this.byVendor[vendor] ?? 0) + devices;
  }
}
