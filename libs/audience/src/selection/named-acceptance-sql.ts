import {
  KEY_COLUMNS,
  parameter,
  type Parameter,
  recordDoneMessages,
  sql,
  type Sql,
  takeKeysSql,
} from '@postrider/persistence';
import { type AudienceSelection, isOnDefaultChannel } from './audience-selection';
import { NAMED_PAGES_AND_EDGES, namedDistributionSql, UNENDED_AFTER } from './distribution-sql';
import { RECORD_COLUMNS, recordColumnsOf, recordsFrom } from './message-row';
import { RoutingSql, TOKEN_VENDOR } from './routing-sql';

/**
 * Selects the size of pages in this application (`pacedPageSize`), and whether the pages of named users are steered.
 */
function limitsSql(app: Parameter, pageSize: Parameter): Sql {
  return sql`SELECT CASE WHEN devices_per_second IS NULL THEN ${pageSize}
      ELSE least(${pageSize}, greatest(1, devices_per_second / 10)) END AS page_size,
    devices_per_second IS NOT NULL OR coalesce(quiet_hours ->> 'applies' = 'all', false) AS is_steered
  FROM applications WHERE app_id = ${app}`;
}

/**
 * The states of the deliveries of a message that is done. They are taken from `routed`: a statement does not see the
 * rows that it writes itself (`recorded`). A message with pages of a vendor is not done.
 */
const ROUTED_STATES = sql`SELECT CASE WHEN r.vendor IS NULL THEN 'skipped' ELSE 'pending' END AS state, 1 AS count
  FROM routed r WHERE r.message_id = done.id`;

/** The options of the statement. */
interface StatementOptions {
  pageSize: number;
  /** True if the records have idempotency keys; only those whose keys are taken now are accepted. */
  isOnce: boolean;
}

/**
 * Returns the statement that accepts messages to named users from their records. The devices of each message are found
 * by key, in a subquery that no statistics can turn into a scan of all devices.
 */
export function namedAcceptanceSql(
  { appId, reach, channel }: AudienceSelection,
  records: readonly object[],
  { pageSize, isOnce }: StatementOptions,
): Sql {
  const app = parameter(appId);
  const routing = new RoutingSql(reach, app, null);
  const limits = limitsSql(app, parameter(pageSize, 'integer'));
  const distribution = namedDistributionSql({
    app,
    pageSize: sql`(SELECT page_size FROM limits)`,
    isSteered: sql`(SELECT is_steered FROM limits)`,
  });
  const membership = isOnDefaultChannel(channel) ? sql`` : sql`AND i.channels @> ARRAY[m.channel]`;
  const further = [sql`waiting_end timestamptz`, ...(isOnce ? KEY_COLUMNS : [])];
  const asked = isOnce ? sql`asked` : sql`sent`;
  return sql`WITH limits AS MATERIALIZED (${limits}), ${asked} AS MATERIALIZED (
    SELECT m.*, m.accepted_at AS written_at FROM ${recordsFrom(records, sql`m`, further)}
  ), routed AS MATERIALIZED (
    SELECT m.id AS message_id, device.id, device.vendor, device.push_type, device.reason, device.edge_id
    FROM ${asked} m CROSS JOIN LATERAL (
      SELECT i.id, ${routing.vendor} AS vendor, ${TOKEN_VENDOR} AS push_type, ${routing.reason} AS reason, ${routing.edge} AS edge_id
      FROM installations i ${routing.join}
      WHERE i.app_id = ${app} AND i.user_id = ANY (m.user_ids) ${membership}
      OFFSET 0
    ) device
  ), ${isOnce ? takenSql(app) : sql``} ${distribution}, accepted AS (
    INSERT INTO messages (app_id, ${RECORD_COLUMNS}, count, recipients, resolve_ceiling, resolved_at, status, done_at, wake_at,
      inbox_ends_at)
    SELECT ${app}, ${recordColumnsOf(sql`m`)}, m.reachable, m.on_pages, 0, m.accepted_at,
      CASE WHEN m.on_pages = 0 THEN 'done' ELSE 'accepted' END,
      CASE WHEN m.on_pages = 0 THEN m.accepted_at END,
      CASE WHEN m.on_pages > 0 THEN m.accepted_at + ${UNENDED_AFTER} END,
      CASE WHEN m.waiting > 0 THEN m.waiting_end END
    FROM tallied m
    RETURNING app_id, id, kind, track_id, client_id, batch_id, count, accepted_at, done_at, status
  ), told AS (${recordDoneMessages({ messages: sql`accepted`, states: ROUTED_STATES })}
  ), ${NAMED_PAGES_AND_EDGES}
  ${isOnce ? KEYED_ROWS : ACCEPTED_ROWS}`;
}

/** Returns `sent`, the messages in `asked` whose keys are taken now, with a comma at the end. */
function takenSql(app: Parameter): Sql {
  const count = (asked: Sql): Sql =>
    sql`(SELECT count(*) FROM routed r WHERE r.message_id = ${asked}.id AND r.vendor IS NOT NULL)`;
  return sql`${takeKeysSql({ app, count })}, sent AS MATERIALIZED (SELECT a.* FROM asked a JOIN taken ON taken.id = a.id),`;
}

const ACCEPTED_COLUMNS = sql`m.reachable::integer AS count, m.by_vendor AS "byVendor", coalesce(w.pages, '[]') AS pages,
    coalesce(e.edges, '[]') AS edges`;
const WRITTEN = sql`LEFT JOIN written w ON w.message_id = m.id LEFT JOIN awake e ON e.message_id = m.id`;
const ACCEPTED_ROWS = sql`SELECT m.id, ${ACCEPTED_COLUMNS} FROM tallied m ${WRITTEN}`;
const KEYED_ROWS = sql`SELECT a.id, ${ACCEPTED_COLUMNS},
    CASE WHEN m.id IS NOT NULL THEN 'accepted' WHEN k.is_free THEN 'kept' ELSE 'running' END AS kind
  FROM asked a JOIN keyed k ON k.key = a.idempotency_key LEFT JOIN tallied m ON m.id = a.id ${WRITTEN}`;
