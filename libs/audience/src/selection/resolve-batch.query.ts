import type { Lane, Reach } from '@postrider/domain';
import { type Executor, parameter, rows, sql, type Sql } from '@postrider/persistence';
import type { EdgeIds, WrittenPage } from './audience-selection';
import { NAMED_PAGES_AND_EDGES, namedDistributionSql } from './named-distribution-sql';
import { RoutingSql } from './routing-sql';

/** Messages to named users of one application that are due, and are resolved by the same statement. */
export interface BatchRequest {
  appId: string;
  reach: Reach;
  /** Whether their channels are ones that everybody is on. */
  isOnDefaultChannel: boolean;
  messages: readonly { messageId: string; inboxEndsAt: Date }[];
  now: Date;
  pageSize: number;
  /** A message to more devices than this is left as it is. */
  mostDevices: number;
}

/** What became of one of them. */
export interface BatchRow {
  messageId: string;
  lane: Lane;
  /** It goes to more devices than were asked for, and nothing was written. */
  isLarge: boolean;
  pages: WrittenPage[];
  edges: EdgeIds;
  found: number;
  reached: number;
}

/** When the sweeper looks at a message that nobody has ended. */
const UNENDED_AFTER = sql`interval '30 seconds'`;

/**
 * Resolves messages to their end in one statement, those of them that nobody has begun with, nobody holds at this moment and
 * nobody has cancelled. The others are not among the rows that come back.
 */
export async function resolveBatch(executor: Executor, request: BatchRequest): Promise<BatchRow[]> {
  return rows<BatchRow>(executor, statementFor(request));
}

/**
 * A message's lock is its own row, as where it is resolved alone. Not prepared: with the ids at hand, PostgreSQL plans for the
 * partitions that hold them. Each message's devices are found by key, in a subquery that no statistics can turn into a scan.
 */
function statementFor(request: BatchRequest): Sql {
  const { reach, isOnDefaultChannel, messages } = request;
  const [app, now] = [parameter(request.appId), parameter(request.now, 'timestamptz')];
  const ids = parameter(
    messages.map(({ messageId }) => messageId),
    'uuid[]',
  );
  const ends = messages.map(({ inboxEndsAt }) => inboxEndsAt);
  const pageSize = parameter(request.pageSize, 'integer');
  const mostDevices = parameter(request.mostDevices, 'integer');
  const routing = new RoutingSql(reach, app, null);
  const membership = isOnDefaultChannel ? sql`` : sql`AND i.channels @> ARRAY[m.channel]`;
  return sql`WITH held AS MATERIALIZED (
    SELECT m.id, m.lane, m.channel, m.user_ids, greatest(m.send_at, m.accepted_at) AS starts_at, ${now} AS written_at
    FROM messages m
    WHERE m.app_id = ${app} AND m.id = ANY (${ids}) AND m.user_ids IS NOT NULL AND m.resolved_at IS NULL
      AND m.resolved_through = 0 AND m.status = 'accepted'
    FOR NO KEY UPDATE SKIP LOCKED
  ), found AS MATERIALIZED (
    SELECT m.id AS message_id, device.id, device.vendor, device.reason, device.edge_id
    FROM held m CROSS JOIN LATERAL (
      SELECT i.id, ${routing.vendor} AS vendor, ${routing.reason} AS reason, ${routing.edge} AS edge_id
      FROM installations i ${routing.join}
      WHERE i.app_id = ${app} AND i.user_id = ANY (m.user_ids) AND i.user_since <= m.starts_at ${membership}
      LIMIT ${mostDevices} + 1
    ) device
  ), seen AS MATERIALIZED (
    SELECT message_id, count(*) AS devices FROM found GROUP BY message_id
  ), sent AS MATERIALIZED (
    SELECT m.*, ending.at AS inbox_end
    FROM held m JOIN unnest(${ids}, ${ends}::timestamptz[]) AS ending (id, at) ON ending.id = m.id
    WHERE m.id NOT IN (SELECT message_id FROM seen WHERE devices > ${mostDevices})
  ), routed AS MATERIALIZED (
    SELECT f.* FROM found f JOIN sent m ON m.id = f.message_id
  ), ${namedDistributionSql({ app, pageSize, isSteered: sql`false` })}, advanced AS (
    UPDATE messages m
    SET resolved_through = m.resolve_ceiling, recipients = m.recipients + t.on_pages, resolved_at = ${now},
      wake_at = ${now} + ${UNENDED_AFTER}, inbox_ends_at = CASE WHEN t.in_inboxes > 0 THEN t.inbox_end ELSE m.inbox_ends_at END
    FROM tallied t
    WHERE m.app_id = ${app} AND m.id = ANY (${ids}) AND m.id = t.id
  ), ${NAMED_PAGES_AND_EDGES}
  SELECT m.id AS "messageId", m.lane, t.id IS NULL AS "isLarge", coalesce(w.pages, '[]') AS pages,
    coalesce(a.edges, '[]') AS edges, coalesce(s.devices, 0)::integer AS found, coalesce(t.reachable, 0)::integer AS reached
  FROM held m LEFT JOIN tallied t ON t.id = m.id LEFT JOIN seen s ON s.message_id = m.id
    LEFT JOIN written w ON w.message_id = m.id LEFT JOIN awake a ON a.message_id = m.id`;
}
