import {
  dayOfMessage,
  type Executor,
  isFirstOwner,
  type LedgerDay,
  parameter,
  rowsOfDay,
  sql,
  type Sql,
} from '@postrider/persistence';
import { isOnDefaultChannel, type EdgeIds, type WrittenPage } from './audience-selection';
import { type Resolution, type MessagesToRead, readResolutions } from './read-resolution';
import { groupBy, type Lane, type Reach } from '@postrider/domain';
import { UNENDED_AFTER } from './distribution-sql';
import { gatherDevices, namedDistributionSql, PAGE_ROWS, type PageRow, readWritten } from './named-distribution-sql';
import { RoutingSql, TOKEN_VENDOR } from './routing-sql';

/** Messages of one application that are resolved in common statements, as far as possible. */
interface DueRequest extends MessagesToRead {
  pageSize: number;
}

/** The results of resolving messages in common statements. Messages that need no resolving (any more) are left out. */
export interface DueOutcome {
  /** Messages that are completely resolved. */
  resolved: BatchRow[];
  /**
   * Messages that are resolved alone (`resolveSlice`): they are steered, cancelled, expired, begun before, counted for
   * frequency caps, or go to rules or to many devices.
   */
  alone: string[];
  /** When the first message begins whose time has not come. */
  nextAt: Date | null;
  /** True if some of them were not available: another worker held them, or they were changed meanwhile. */
  isTaken: boolean;
}

/** The most devices of a message that is resolved with others. */
const MOST_DEVICES = 100;

/**
 * Resolves those messages to named users whose time has come, many in one statement, which writes all of their pages,
 * delivery rows and counts or none. The lock of each message is its own row: only one of several workers gets it.
 */
export async function resolveDue(executor: Executor, request: DueRequest): Promise<DueOutcome> {
  const read = await readResolutions(executor, request);
  const outcome: DueOutcome = { resolved: [], alone: [], nextAt: null, isTaken: false };
  const batchable: MessageToResolve[] = [];
  for (const message of read) {
    if (message.kind === 'early') {
      if (outcome.nextAt === null || message.startsAt < outcome.nextAt) outcome.nextAt = message.startsAt;
    } else if (isBatchable(message.resolution)) batchable.push(message);
    else outcome.alone.push(message.messageId);
  }
  for (const ofKind of groupBy(batchable, kindOf).values()) await resolveKind(executor, request, ofKind, outcome);
  return outcome;
}

/** A message whose audience is to be resolved. */
interface MessageToResolve {
  messageId: string;
  resolution: Resolution;
}

async function resolveKind(
  executor: Executor,
  { appId, now, pageSize }: DueRequest,
  ofKind: readonly [MessageToResolve, ...MessageToResolve[]],
  outcome: DueOutcome,
): Promise<void> {
  const [first] = ofKind;
  const { reach, channel } = first.resolution.selection;
  const written = await resolveBatch(executor, {
    appId,
    day: dayOfMessage(first.messageId),
    reach,
    isOnDefaultChannel: isOnDefaultChannel(channel),
    messages: ofKind.map(({ messageId, resolution: { waitingEndsAt, revision } }) => ({
      messageId,
      waitingEndsAt,
      revision,
    })),
    now,
    pageSize,
    mostDevices: MOST_DEVICES,
  });
  outcome.resolved.push(...written.filter(({ isLarge }) => !isLarge));
  outcome.alone.push(...written.filter(({ isLarge }) => isLarge).map(({ messageId }) => messageId));
  if (written.length < ofKind.length) outcome.isTaken = true;
}

function isBatchable({ selection, from, timing, endState, holdsConnections }: Resolution): boolean {
  return selection.who.kind === 'users' && from === '0' && timing === null && endState === null && !holdsConnections;
}

/** Returns a key: messages with the same key share a statement. */
function kindOf({ messageId, resolution }: MessageToResolve): string {
  const { reach, channel } = resolution.selection;
  return JSON.stringify([dayOfMessage(messageId).name, reach, isOnDefaultChannel(channel)]);
}

/** Messages to named users of one application that are due, and are resolved by one statement. */
interface BatchRequest {
  appId: string;
  /** The day of all of them (docs/decisions/0039). */
  day: LedgerDay;
  reach: Reach;
  /** True if everybody is a member of their channels. */
  isOnDefaultChannel: boolean;
  messages: readonly { messageId: string; waitingEndsAt: Date; revision: number }[];
  now: Date;
  pageSize: number;
  /** A message to more devices than this is left as it is. */
  mostDevices: number;
}

/** The result for one of them. */
interface BatchRow {
  messageId: string;
  lane: Lane;
  /** True if it goes to more than `mostDevices` devices: nothing was written. */
  isLarge: boolean;
  pages: WrittenPage[];
  edges: EdgeIds;
  found: number;
  reached: number;
}

/**
 * Resolves messages completely in one statement. It leaves out messages that are begun, held by another worker, changed
 * or cancelled, and returns no row for them.
 */
async function resolveBatch(executor: Executor, request: BatchRequest): Promise<BatchRow[]> {
  const written = await rowsOfDay<HeldRow | PageRow>(executor, statementFor(request), false);
  return readWritten(written).map(
    ({ row: { messageId, lane, isLarge, found, reached }, written: { pages, edges } }) => {
      return { messageId, lane, isLarge, pages, edges, found, reached };
    },
  );
}

/** The row of a message that this worker holds. */
interface HeldRow extends Omit<BatchRow, 'pages' | 'edges'> {
  waiting: number;
}

/**
 * Returns the statement. The lock of a message is its own row, as if it were resolved alone. The statement is not
 * prepared: it is planned for the number of its ids. The devices of each message are found by key, in a subquery that no
 * statistics can turn into a scan.
 */
function statementFor(request: BatchRequest): Sql {
  const { day, reach, isOnDefaultChannel, messages } = request;
  const [app, now] = [parameter(request.appId), parameter(request.now, 'timestamptz')];
  const ids = parameter(
    messages.map(({ messageId }) => messageId),
    'uuid[]',
  );
  const revisions = parameter(
    messages.map(({ revision }) => revision),
    'integer[]',
  );
  const ends = messages.map(({ waitingEndsAt }) => waitingEndsAt);
  const pageSize = parameter(request.pageSize, 'integer');
  const mostDevices = parameter(request.mostDevices, 'integer');
  const routing = new RoutingSql(reach, app, null);
  const membership = isOnDefaultChannel ? sql`` : sql`AND i.channels @> ARRAY[m.channel]`;
  return sql`WITH held AS MATERIALIZED (
    SELECT m.id, m.lane, m.channel, m.user_ids, greatest(m.send_at, m.accepted_at) AS starts_at, ${now} AS written_at
    FROM ${day.messages} m JOIN unnest(${ids}, ${revisions}) AS as_read (id, revision) ON as_read.id = m.id AND as_read.revision = m.revision
    WHERE m.app_id = ${app} AND m.id = ANY (${ids}) AND m.user_ids IS NOT NULL AND m.resolved_at IS NULL
      AND m.resolved_through = 0 AND m.status = 'accepted'
    FOR NO KEY UPDATE OF m SKIP LOCKED
  ), routed AS MATERIALIZED (
    SELECT m.*, ending.at AS waiting_end, devices.*
    FROM held m JOIN unnest(${ids}, ${ends}::timestamptz[]) AS ending (id, at) ON ending.id = m.id
    CROSS JOIN LATERAL (${gatherDevices(sql`
      SELECT i.id, ${routing.vendor} AS vendor, ${TOKEN_VENDOR} AS push_type, ${routing.reason} AS reason, ${routing.edge} AS edge_id
      FROM installations i ${routing.join}
      WHERE i.app_id = ${app} AND i.user_id = ANY (m.user_ids)
        AND (i.user_since <= m.starts_at OR ${isFirstOwner(sql`i`)}) ${membership}
      LIMIT ${mostDevices} + 1`)}
    ) devices
  ), sent AS MATERIALIZED (
    SELECT * FROM routed WHERE found <= ${mostDevices}
  ), ${namedDistributionSql({ app, day, pageSize, isSteered: sql`false` })}, advanced AS (
    UPDATE ${day.messages} m
    SET resolved_through = m.resolve_ceiling, recipients = m.recipients + t.on_pages, resolved_at = ${now},
      wake_at = ${now} + ${UNENDED_AFTER}, inbox_ends_at = CASE WHEN t.waiting > 0 THEN t.waiting_end ELSE m.inbox_ends_at END
    FROM sent t
    WHERE m.app_id = ${app} AND m.id = ANY (${ids}) AND m.id = t.id
  )
  SELECT id AS "messageId", lane, found > ${mostDevices} AS "isLarge", found::integer,
    CASE WHEN found > ${mostDevices} THEN 0 ELSE reachable END::integer AS reached, waiting::integer, NULL::uuid AS "pageId",
    NULL::text AS vendor, NULL::text AS edge, NULL::integer AS devices
  FROM routed
  UNION ALL SELECT "messageId", NULL, NULL, NULL, NULL, NULL, "pageId", vendor, edge, devices FROM (${PAGE_ROWS}) page`;
}
