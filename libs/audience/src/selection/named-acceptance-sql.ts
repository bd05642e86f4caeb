import type { Reach } from '@postrider/domain';
import {
  KEY_COLUMNS,
  type LedgerDay,
  type Parameter,
  recordDoneAtOnce,
  sql,
  type Sql,
  takeKeysSql,
  template,
} from '@postrider/persistence';
import { UNENDED_AFTER } from './distribution-sql';
import { RECORD_COLUMNS, recordColumnsOf, recordsFrom } from './message-row';
import { gatherDevices, namedDistributionSql, PAGE_ROWS } from './named-distribution-sql';
import { RoutingSql, TOKEN_VENDOR } from './routing-sql';

/** What decides the text of the statement that accepts messages to named users. */
interface AcceptanceKind {
  reach: Reach;
  /** True if everybody is a member of their channel. */
  isOnDefaultChannel: boolean;
  /** The day of the ledger that holds them. */
  day: LedgerDay;
  /** True if the records have idempotency keys; only those whose keys are taken now are accepted. */
  isOnce: boolean;
}

/** The values of the statement; `records` is JSON. */
type Values = Readonly<Record<'appId' | 'records' | 'pageSize', unknown>>;

/** How many kinds are kept: with those of a few days. */
const MOST_KINDS = 100;
const known = new Map<string, (values: Values) => Sql>();

/** Returns the statement that accepts messages to named users, all of one kind, from their records. */
export function namedAcceptanceSql(kind: AcceptanceKind, values: Values): Sql {
  const { reach, isOnDefaultChannel, day, isOnce } = kind;
  const key = `${reach} ${isOnDefaultChannel} ${isOnce} ${day.name}`;
  let fill = known.get(key);
  if (fill === undefined) {
    fill = template(['appId', 'records', 'pageSize'], (places) => statementOf(kind, places));
    if (known.size >= MOST_KINDS) known.clear();
    known.set(key, fill);
  }
  return fill(values);
}

/**
 * Selects the size of pages in this application (`pacedPageSize`), whether the pages of named users are steered, and the
 * proof that it requires of their devices.
 */
function limitsSql(app: Parameter, pageSize: Parameter): Sql {
  return sql`SELECT CASE WHEN devices_per_second IS NULL THEN ${pageSize}::integer
      ELSE least(${pageSize}::integer, greatest(1, devices_per_second / 10)) END AS page_size,
    devices_per_second IS NOT NULL OR coalesce(quiet_hours ->> 'applies' = 'all', false) AS is_steered, least_proof
  FROM applications WHERE app_id = ${app}`;
}

/** The deliveries of `done`, a row of `DONE`: it has no page of a push service. */
const COUNTS = { pending: sql`done.count`, skipped: sql`done.found - done.count` };

/**
 * The devices of each message are found by key, in a subquery that no statistics can turn into a scan of all devices.
 */
function statementOf(
  { reach, isOnDefaultChannel, day, isOnce }: AcceptanceKind,
  { appId: app, records, pageSize }: Record<keyof Values, Parameter>,
): Sql {
  const routing = new RoutingSql(reach, app, null, null, sql`limits.least_proof`);
  const membership = isOnDefaultChannel ? sql`` : sql`AND i.channels @> ARRAY[m.channel]`;
  const further = [sql`waiting_end timestamptz`, ...(isOnce ? KEY_COLUMNS : [])];
  const distribution = namedDistributionSql({
    app,
    day,
    pageSize: sql`(SELECT page_size FROM limits)`,
    isSteered: sql`(SELECT is_steered FROM limits)`,
  });
  return sql`WITH limits AS MATERIALIZED (${limitsSql(app, pageSize)}), ${isOnce ? sql`asked` : sql`sent`} AS MATERIALIZED (
    SELECT m.*, m.accepted_at AS written_at, devices.*
    FROM limits CROSS JOIN ${recordsFrom(records, sql`m`, further)} CROSS JOIN LATERAL (${gatherDevices(sql`
      SELECT i.id, ${routing.vendor} AS vendor, ${TOKEN_VENDOR} AS push_type, ${routing.reason} AS reason, ${routing.edge} AS edge_id
      FROM installations i ${routing.join}
      WHERE i.app_id = ${app} AND i.user_id = ANY (m.user_ids) ${membership}
      OFFSET 0`)}
    ) devices
  ), ${isOnce ? takenSql(app) : sql``} ${distribution}, accepted AS (
    INSERT INTO ${day.messages} (app_id, ${RECORD_COLUMNS}, count, recipients, resolve_ceiling, resolved_at, status, done_at, wake_at,
      inbox_ends_at)
    SELECT ${app}, ${recordColumnsOf(sql`m`)}, m.reachable, m.on_pages, 0, m.accepted_at,
      CASE WHEN m.on_pages = 0 THEN 'done' ELSE 'accepted' END,
      CASE WHEN m.on_pages = 0 THEN m.accepted_at END,
      CASE WHEN m.on_pages > 0 THEN m.accepted_at + ${UNENDED_AFTER} END,
      CASE WHEN m.waiting > 0 THEN m.waiting_end END
    FROM sent m
  ), told AS (${recordDoneAtOnce({ app, messages: DONE, counts: COUNTS })}
  )
  ${isOnce ? KEYED_ROWS : ACCEPTED_ROWS}
  UNION ALL SELECT "messageId", NULL, devices, NULL, "pageId", vendor, edge FROM (${PAGE_ROWS}) page`;
}

/** The messages without pages of a push service: they are done as soon as they are accepted. */
const DONE = sql`(
    SELECT id, kind, track_id, client_id, batch_id, reachable AS count, accepted_at, accepted_at AS done_at, found FROM sent
    WHERE on_pages = 0
  )`;

/** Returns `sent`, the messages in `asked` whose keys are taken now, with a comma at the end. */
function takenSql(app: Parameter): Sql {
  return sql`${takeKeysSql({ app, count: (asked) => sql`${asked}.reachable` })},
    sent AS MATERIALIZED (SELECT a.* FROM asked a JOIN taken ON taken.id = a.id),`;
}

const ROW_OF_MESSAGE = sql`reachable::integer AS devices, waiting::integer, NULL::uuid AS "pageId", NULL::text AS vendor, NULL::text AS edge`;
const ACCEPTED_ROWS = sql`SELECT id AS "messageId", 'accepted' AS kind, ${ROW_OF_MESSAGE} FROM sent`;
const KEYED_ROWS = sql`SELECT a.id AS "messageId",
    CASE WHEN taken.id IS NOT NULL THEN 'accepted' WHEN k.is_free THEN 'kept' ELSE 'running' END AS kind, ${ROW_OF_MESSAGE}
  FROM asked a JOIN keyed k ON k.key = a.idempotency_key LEFT JOIN taken ON taken.id = a.id`;
