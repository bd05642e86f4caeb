import {
  type DevicesByVendor,
  type EdgeIds,
  type WrittenPage,
  type AudienceSelection,
  type AudienceMembers,
  isOnDefaultChannel,
} from './audience-selection';
import {
  type Executor,
  rows,
  sql,
  parameter,
  type Parameter,
  preparedRows,
  recordDoneMessages,
  type Sql,
} from '@postrider/persistence';
import { type AudienceMeasure, measureAudience } from './read-audiences';
import { type NewMessage, messageRow, RECORD_COLUMNS, recordColumnsOf, recordsFrom } from './message-row';
import { waitingEndsAt } from './waiting-ends-at';
import { NAMED_PAGES_AND_EDGES, namedDistributionSql, UNENDED_AFTER } from './distribution-sql';
import { RoutingSql, TOKEN_VENDOR } from './routing-sql';

/** What acceptance gives. */
export interface AcceptedMessage {
  /** Devices that the message is sent to. */
  count: number;
  /** The same by vendor; null where the audience is yet to be resolved. */
  byVendor: DevicesByVendor | null;
  /** Pages to enqueue now. */
  pages: WrittenPage[];
  /** Edges to wake up now: devices are connected there. */
  edges: EdgeIds;
  /** Whether the audience worker has to resolve the audience into pages now. */
  needsResolving: boolean;
}

/** How a message is accepted. */
export interface AcceptanceOptions {
  pageSize: number;
}

/** A message and whom it is for. */
export interface DraftedMessage {
  message: NewMessage;
  selection: AudienceSelection;
  /** How large its audience is, where that was counted before; only where nobody is named. */
  measure?: AudienceMeasure;
}

/** A message that is sent later goes to devices that register until then too. */
const NO_CEILING = '9223372036854775807';

/** One statement takes no more: the values of a statement stand in memory, here and there. */
const MOST_MESSAGES = 500;

/**
 * Accepts messages: when this returns (and the caller's transaction, if there is one, is committed) they will be sent,
 * whatever becomes of Redis or of this process. For named users the pages are written as well, many messages in one
 * statement; any other audience is counted here and resolved by the audience worker.
 *
 * Messages of more than one statement need a transaction around them to be accepted all or none.
 *
 * @returns what became of each, in the order of `drafts`
 */
export async function storeMessages(
  executor: Executor,
  drafts: readonly DraftedMessage[],
  { pageSize }: AcceptanceOptions,
): Promise<AcceptedMessage[]> {
  const accepted = new Map<DraftedMessage, AcceptedMessage>();
  for (const together of inStatements(drafts.filter(isNamed))) {
    const outcomes = await acceptForNamedUsers(executor, together, pageSize);
    outcomes.forEach((outcome, place) => accepted.set(together[place] as NamedDraft, outcome));
  }
  for (const draft of drafts) if (!isNamed(draft)) accepted.set(draft, await acceptUnresolved(executor, draft));
  return drafts.map((draft) => accepted.get(draft) as AcceptedMessage);
}

/** As `storeMessages`, for one. */
export async function storeMessage(
  executor: Executor,
  message: NewMessage,
  selection: AudienceSelection,
  options: AcceptanceOptions,
): Promise<AcceptedMessage> {
  const [accepted] = await storeMessages(executor, [{ message, selection }], options);
  if (!accepted) throw new Error('An acceptance gave nothing');
  return accepted;
}

async function acceptUnresolved(
  executor: Executor,
  { message, selection, measure }: DraftedMessage,
): Promise<AcceptedMessage> {
  // Counted on its own: PostgreSQL runs no statement that writes on several cores.
  const { count, ceiling } = measure ?? (await measureAudience(executor, selection));
  const isLater = (message.schedule?.sendAt ?? message.acceptedAt) > message.acceptedAt;
  await insertUnresolvedMessage(executor, message, selection, { count, ceiling: isLater ? NO_CEILING : ceiling });
  return { count, byVendor: null, pages: [], edges: [], needsResolving: !isLater };
}

/** Whether a draft's pages can be written as it is accepted: it names its users, and goes to them now, all at once and whatever they had before. */
export function isNamed(draft: DraftedMessage): draft is NamedDraft {
  const { rate, sendAt } = draft.message.schedule ?? {};
  const isCapped = draft.message.content.countsTowardsCap === true;
  return draft.selection.who.kind === 'users' && rate === undefined && sendAt === undefined && !isCapped;
}

/** The drafts by kind, each cut into what one statement takes. */
function* inStatements(drafts: readonly NamedDraft[]): Generator<NamedDraft[]> {
  const kinds = new Map<string, NamedDraft[]>();
  for (const draft of drafts) {
    const kind = kindOfDraft(draft);
    const ofKind = kinds.get(kind);
    if (ofKind) ofKind.push(draft);
    else kinds.set(kind, [draft]);
  }
  for (const ofKind of kinds.values()) {
    for (let from = 0; from < ofKind.length; from += MOST_MESSAGES) yield ofKind.slice(from, from + MOST_MESSAGES);
  }
}

/** When recovery looks at a message that no audience worker has taken up. */
const UNTAKEN_AFTER = sql`interval '1 second'`;

/** A scheduled message gets its job this long before its time, so that recovery that is busy then does not make it late. */
export const ENQUEUED_AHEAD = sql`interval '5 seconds'`;

/** Writes a message whose audience the audience worker resolves. */
async function insertUnresolvedMessage(
  executor: Executor,
  message: NewMessage,
  selection: AudienceSelection,
  { count, ceiling }: AudienceMeasure,
): Promise<void> {
  await rows(
    executor,
    sql`INSERT INTO messages (app_id, ${RECORD_COLUMNS}, count, resolve_ceiling, wake_at)
     SELECT ${selection.appId}, ${recordColumnsOf(sql`m`)}, ${count}::bigint, ${ceiling}::bigint,
       CASE WHEN m.send_at > m.accepted_at THEN greatest(m.send_at - ${ENQUEUED_AHEAD}, m.accepted_at) ELSE m.accepted_at + ${UNTAKEN_AFTER} END
     FROM ${recordsFrom([messageRow(message, selection)], sql`m`)}`,
  );
}

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
async function acceptForNamedUsers(
  executor: Executor,
  drafts: readonly NamedDraft[],
  pageSize: number,
): Promise<AcceptedMessage[]> {
  const [first] = drafts;
  if (!first) return [];
  const records = drafts.map(({ message, selection }) => ({
    ...messageRow(message, selection),
    waiting_end: waitingEndsAt(selection.reach, message.acceptedAt, message.expiresAt),
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
const ROUTED_STATES = sql`SELECT CASE WHEN r.vendor IS NULL THEN 'skipped' ELSE 'pending' END AS state, 1 AS count
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
    SELECT m.*, m.accepted_at AS written_at FROM ${recordsFrom(records, sql`m`, [sql`waiting_end timestamptz`])}
  ), routed AS MATERIALIZED (
    SELECT m.id AS message_id, device.id, device.vendor, device.push_type, device.reason, device.edge_id
    FROM sent m CROSS JOIN LATERAL (
      SELECT i.id, ${routing.vendor} AS vendor, ${TOKEN_VENDOR} AS push_type, ${routing.reason} AS reason, ${routing.edge} AS edge_id
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
      CASE WHEN m.waiting > 0 THEN m.waiting_end END
    FROM tallied m
    RETURNING app_id, id, kind, track_id, client_id, batch_id, count, accepted_at, done_at, status
  ), told AS (${recordDoneMessages({ messages: sql`accepted`, states: ROUTED_STATES })}
  ), ${NAMED_PAGES_AND_EDGES}
  SELECT m.id, m.reachable::integer AS count, m.by_vendor AS "byVendor", coalesce(w.pages, '[]') AS pages,
    coalesce(a.edges, '[]') AS edges
  FROM tallied m LEFT JOIN written w ON w.message_id = m.id LEFT JOIN awake a ON a.message_id = m.id`;
}
