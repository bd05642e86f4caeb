import { deliveryStateRank } from '@postrider/domain';
import { type Executor, preparedRows, recordDoneMessages } from '@postrider/persistence';
import { SqlParameters } from '../sql/sql-parameters';
import type { AcceptedMessage } from './accepted-message';
import type { AudienceMembers, AudienceSelection, DevicesByVendor, EdgeIds, WrittenPage } from './audience-selection';
import { HELD_PAGE } from './distribution-sql';
import { inboxEndsAt } from './inbox-ends-at';
import { isOnDefaultChannel } from './membership-sql';
import { messageRecord, RECORD_COLUMNS, recordColumnsOf, recordsFrom } from './message-record';
import type { NewMessage } from './new-message';
import { RoutingSql } from './routing-sql';

/** A message to named users. */
export interface NamedDraft {
  message: NewMessage;
  selection: AudienceSelection & { who: Extract<AudienceMembers, { kind: 'users' }> };
}

interface AcceptedRow {
  id: string;
  count: number;
  byVendor: DevicesByVendor;
  pages: WrittenPage[];
  edges: EdgeIds;
}

/** When the sweeper looks at a page that no delivery worker has claimed, and at a message that nobody has ended. */
const UNCLAIMED_AFTER = `interval '1 second'`;
const UNENDED_AFTER = `interval '30 seconds'`;

/** Drafts of one kind can be accepted together: the statement for them is the same. */
export function kindOfDraft({ selection }: NamedDraft): string {
  return JSON.stringify([selection.appId, selection.reach, isOnDefaultChannel(selection.channel)]);
}

/**
 * Accepts messages to named users, all of one kind (`kindOfDraft`), in one statement: finds the devices of each, writes
 * pages (those for connected devices are held by their edge) and delivery rows, and the messages as already resolved. A
 * message that no device needs a vendor's page for is done at once.
 *
 * @returns what became of each, in the order of `drafts`
 */
export async function acceptForNamedUsers(
  executor: Executor,
  drafts: readonly NamedDraft[],
  pageSize: number,
): Promise<AcceptedMessage[]> {
  const [first] = drafts;
  if (!first) return [];
  const records = drafts.map(({ message, selection }) => ({
    ...messageRecord(message, selection),
    inbox_end: inboxEndsAt(selection.reach, message.acceptedAt, message.expiresAt),
  }));
  const parameters = new SqlParameters([first.selection.appId, JSON.stringify(records), pageSize]);
  const accepted = await preparedRows<AcceptedRow>(
    executor,
    statementFor(first.selection, parameters),
    parameters.values,
  );
  const byId = new Map(accepted.map(({ id, ...rest }) => [id, { ...rest, needsResolving: false }]));
  return drafts.map(({ message }) => {
    const found = byId.get(message.id);
    if (!found) throw new Error('An acceptance gave no row');
    return found;
  });
}

/** How big pages are in this application (`pacedPageSize`), and whether named users' are steered. */
const LIMITS = `SELECT CASE WHEN devices_per_second IS NULL THEN $3::integer
    ELSE least($3::integer, greatest(1, devices_per_second / 10)) END AS page_size,
    devices_per_second IS NOT NULL OR coalesce(quiet_hours ->> 'applies' = 'all', false) AS is_steered
  FROM applications WHERE app_id = $1`;

const WRITE_PAGES = `
    INSERT INTO pages (app_id, message_id, id, vendor, lane, device_ids, edge_id, state, fence, wake_at, created_at, is_steered)
    SELECT $1, m.id, gen_random_uuid(), cut.vendor, m.lane, cut.device_ids, cut.edge_id, ${HELD_PAGE.state('cut.edge_id')},
      ${HELD_PAGE.fence('cut.edge_id')}, CASE WHEN cut.edge_id IS NULL THEN m.accepted_at + ${UNCLAIMED_AFTER} END, m.accepted_at,
      cut.edge_id IS NULL AND (SELECT is_steered FROM limits)
    FROM cut JOIN sent m ON m.id = cut.message_id
    RETURNING message_id, id, vendor`;

/** What `recorded` writes is not to be seen in its own statement. A message with a vendor's pages is not done. */
const ROUTED_STATES = `SELECT CASE WHEN r.vendor IS NULL THEN 'skipped' ELSE 'pending' END AS state
  FROM routed r WHERE r.message_id = done.id`;

/** Each message's devices are found by key, in a subquery of its own that no statistics can turn into a scan of them all. */
function statementFor({ reach, channel }: AudienceSelection, parameters: SqlParameters): string {
  const routing = new RoutingSql(reach, '$1', parameters, null);
  const membership = isOnDefaultChannel(channel) ? '' : 'AND i.channels @> ARRAY[m.channel]';
  return `WITH limits AS MATERIALIZED (${LIMITS}), sent AS MATERIALIZED (
    SELECT * FROM ${recordsFrom('$2', 'm', ['inbox_end timestamptz'])}
  ), routed AS MATERIALIZED (
    SELECT m.id AS message_id, device.id, device.vendor, device.reason, device.edge_id
    FROM sent m CROSS JOIN LATERAL (
      SELECT i.id, ${routing.vendor} AS vendor, ${routing.reason()} AS reason, ${routing.edge} AS edge_id
      FROM installations i ${routing.join}
      WHERE i.app_id = $1 AND i.user_id = ANY (m.user_ids) ${membership}
      OFFSET 0
    ) device
  ), numbered AS (
    SELECT message_id, id, vendor, edge_id,
      (row_number() OVER (PARTITION BY message_id, vendor, edge_id ORDER BY id) - 1) / (SELECT page_size FROM limits) AS place
    FROM routed WHERE vendor <> 'connection' OR edge_id IS NOT NULL
  ), cut AS (
    SELECT message_id, vendor, edge_id, array_agg(id ORDER BY id) AS device_ids FROM numbered
    GROUP BY message_id, vendor, edge_id, place
  ), paged AS (${WRITE_PAGES}
  ), recorded AS (
    INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor, reason, created_at, updated_at)
    SELECT $1, m.id, r.id, CASE WHEN r.vendor IS NULL THEN 'skipped' ELSE 'pending' END,
      CASE WHEN r.vendor IS NULL THEN ${deliveryStateRank('skipped')} ELSE ${deliveryStateRank('pending')} END, r.vendor,
      r.reason, m.accepted_at, m.accepted_at
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
  ), accepted AS (
    INSERT INTO messages (app_id, ${RECORD_COLUMNS}, count, recipients, resolve_ceiling, resolved_at, status, done_at, wake_at,
      inbox_ends_at)
    SELECT $1, ${recordColumnsOf('m')}, m.reachable, m.on_pages, 0, m.accepted_at,
      CASE WHEN m.on_pages = 0 THEN 'done' ELSE 'accepted' END,
      CASE WHEN m.on_pages = 0 THEN m.accepted_at END,
      CASE WHEN m.on_pages > 0 THEN m.accepted_at + ${UNENDED_AFTER} END,
      CASE WHEN m.in_inboxes > 0 THEN m.inbox_end END
    FROM tallied m
    RETURNING app_id, id, kind, track_id, client_id, batch_id, count, accepted_at, done_at, status
  ), told AS (${recordDoneMessages('accepted', ROUTED_STATES)}
  ), written AS (
    SELECT message_id, jsonb_agg(jsonb_build_object('pageId', id, 'vendor', vendor)) AS pages FROM paged
    WHERE vendor <> 'connection' GROUP BY message_id
  ), awake AS (
    SELECT message_id, jsonb_agg(DISTINCT edge_id) AS edges FROM routed WHERE edge_id IS NOT NULL GROUP BY message_id
  )
  SELECT m.id, m.reachable::integer AS count, m.by_vendor AS "byVendor", coalesce(w.pages, '[]') AS pages,
    coalesce(a.edges, '[]') AS edges
  FROM tallied m LEFT JOIN written w ON w.message_id = m.id LEFT JOIN awake a ON a.message_id = m.id`;
}
