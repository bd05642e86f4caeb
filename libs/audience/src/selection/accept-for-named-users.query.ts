import {
  type Executor,
  parameter,
  type Parameter,
  preparedRows,
  recordDoneMessages,
  sql,
  type Sql,
} from '@postrider/persistence';
import type { AcceptedMessage } from './accepted-message';
import type { AudienceMembers, AudienceSelection, DevicesByVendor, EdgeIds, WrittenPage } from './audience-selection';
import { inboxEndsAt } from './inbox-ends-at';
import { isOnDefaultChannel } from './membership-sql';
import { messageRecord, RECORD_COLUMNS, recordColumnsOf, recordsFrom } from './message-record';
import { NAMED_PAGES_AND_EDGES, namedDistributionSql } from './named-distribution-sql';
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

/** When the sweeper looks at a message that nobody has ended. */
const UNENDED_AFTER = sql`interval '30 seconds'`;

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
  const accepted = await preparedRows<AcceptedRow>(executor, statementFor(first.selection, records, pageSize));
  const byId = new Map(accepted.map(({ id, ...rest }) => [id, { ...rest, needsResolving: false }]));
  return drafts.map(({ message }) => {
    const found = byId.get(message.id);
    if (!found) throw new Error('An acceptance gave no row');
    return found;
  });
}

/** How big pages are in this application (`pacedPageSize`), and whether named users' are steered. */
function limitsSql(app: Parameter, pageSize: Parameter): Sql {
  return sql`SELECT CASE WHEN devices_per_second IS NULL THEN ${pageSize}
      ELSE least(${pageSize}, greatest(1, devices_per_second / 10)) END AS page_size,
    devices_per_second IS NOT NULL OR coalesce(quiet_hours ->> 'applies' = 'all', false) AS is_steered
  FROM applications WHERE app_id = ${app}`;
}

/** What `recorded` writes is not to be seen in its own statement. A message with a vendor's pages is not done. */
const ROUTED_STATES = sql`SELECT CASE WHEN r.vendor IS NULL THEN 'skipped' ELSE 'pending' END AS state
  FROM routed r WHERE r.message_id = done.id`;

/** Each message's devices are found by key, in a subquery of its own that no statistics can turn into a scan of them all. */
function statementFor({ appId, reach, channel }: AudienceSelection, records: readonly object[], pageSize: number): Sql {
  const app = parameter(appId);
  const routing = new RoutingSql(reach, app, null);
  const limits = limitsSql(app, parameter(pageSize, 'integer'));
  const distribution = namedDistributionSql({
    app,
    pageSize: sql`(SELECT page_size FROM limits)`,
    isSteered: sql`(SELECT is_steered FROM limits)`,
  });
  const membership = isOnDefaultChannel(channel) ? sql`` : sql`AND i.channels @> ARRAY[m.channel]`;
  return sql`WITH limits AS MATERIALIZED (${limits}), sent AS MATERIALIZED (
    SELECT m.*, m.accepted_at AS written_at FROM ${recordsFrom(records, sql`m`, [sql`inbox_end timestamptz`])}
  ), routed AS MATERIALIZED (
    SELECT m.id AS message_id, device.id, device.vendor, device.reason, device.edge_id
    FROM sent m CROSS JOIN LATERAL (
      SELECT i.id, ${routing.vendor} AS vendor, ${routing.reason} AS reason, ${routing.edge} AS edge_id
      FROM installations i ${routing.join}
      WHERE i.app_id = ${app} AND i.user_id = ANY (m.user_ids) ${membership}
      OFFSET 0
    ) device
  ), ${distribution}, accepted AS (
    INSERT INTO messages (app_id, ${RECORD_COLUMNS}, count, recipients, resolve_ceiling, resolved_at, status, done_at, wake_at,
      inbox_ends_at)
    SELECT ${app}, ${recordColumnsOf(sql`m`)}, m.reachable, m.on_pages, 0, m.accepted_at,
      CASE WHEN m.on_pages = 0 THEN 'done' ELSE 'accepted' END,
      CASE WHEN m.on_pages = 0 THEN m.accepted_at END,
      CASE WHEN m.on_pages > 0 THEN m.accepted_at + ${UNENDED_AFTER} END,
      CASE WHEN m.in_inboxes > 0 THEN m.inbox_end END
    FROM tallied m
    RETURNING app_id, id, kind, track_id, client_id, batch_id, count, accepted_at, done_at, status
  ), told AS (${recordDoneMessages({ messages: sql`accepted`, states: ROUTED_STATES })}
  ), ${NAMED_PAGES_AND_EDGES}
  SELECT m.id, m.reachable::integer AS count, m.by_vendor AS "byVendor", coalesce(w.pages, '[]') AS pages,
    coalesce(a.edges, '[]') AS edges
  FROM tallied m LEFT JOIN written w ON w.message_id = m.id LEFT JOIN awake a ON a.message_id = m.id`;
}
