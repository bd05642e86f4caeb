import {
  capRoleOf,
  type Lane,
  type Channel,
  type DeliveryState,
  keepsQuietHours,
  lastCallAt,
  type MessageContent,
  type MessageKind,
  type QuietHours,
  type Reach,
  reachOf,
  waitingEndsAt,
} from '@postrider/domain';
import { audienceMembersOf, type AudienceSelection, type EdgeIds, type WrittenPage } from './audience-selection';
import {
  dayOfMessage,
  type Executor,
  parameter,
  rows,
  rowsOfDay,
  sql,
  type StoredAudience,
} from '@postrider/persistence';
import { splitOf } from './campaign-split';
import type { MessageTiming, ZonePlan } from './plan-zones';

/** One step of resolving a message. */
export interface SliceRequest {
  appId: string;
  messageId: string;
  now: Date;
  /** The most installations to read. */
  windowSize: number;
  /** The most recipients to take from them. */
  sliceSize: number;
  pageSize: number;
}

/** The result of one step. */
export type SliceOutcome =
  /** Committed. `found`: recipients, reachable or not; `reached`: those of them that the message is sent to. */
  | {
      kind: 'resolved';
      lane: Lane;
      pages: WrittenPage[];
      edges: EdgeIds;
      found: number;
      reached: number;
      isFinished: boolean;
    }
  /** Another worker resolves this message at this moment; nothing was written. */
  | { kind: 'taken' }
  /** The time of the message has not come. */
  | { kind: 'early'; startsAt: Date }
  /** There is nothing to resolve: the message is resolved already, or does not exist. */
  | { kind: 'over' };

/**
 * A message whose audience is not completely resolved, and the next window of installations to read. A message that
 * was cancelled is resolved too, even before its time, so that there is a record for every device.
 */
export interface Resolution {
  selection: AudienceSelection;
  /** Installations up to here are resolved. */
  from: string;
  /** The last installation of the next window. */
  to: string;
  /**
   * The last installation that existed when the message was accepted; of a message that is sent later: the largest
   * number.
   */
  ceiling: string;
  /** How often the message was changed before it left: only this revision is resolved. */
  revision: number;
  isCancelled: boolean;
  /** The state of every delivery if nothing of the message is sent any more; null while something is. */
  endState: Extract<DeliveryState, 'expired' | 'cancelled'> | null;
  /** How long deliveries may wait for a connection. */
  waitingEndsAt: Date;
  /**
   * True if connections get the message only after the frequency caps of the application were checked: when its page is
   * opened.
   */
  holdsConnections: boolean;
  /** When and how fast its devices are sent to; null: at once, and as fast as possible. */
  timing: MessageTiming | null;
  /** When the devices in each time zone are sent to; empty if `timing` is null. */
  plans: ZonePlan[];
}

/** A message that is not completely resolved, with the sending rules of its application. */
interface ResolutionRow {
  kind: MessageKind;
  content: MessageContent;
  audience: StoredAudience;
  userIds: string[] | null;
  channel: Channel;
  lane: Lane;
  acceptedAt: Date;
  isCancelled: boolean;
  startsAt: Date;
  isScheduled: boolean;
  expiresAt: Date;
  rate: number | null;
  localTimeMs: number | null;
  ttlSeconds: number | null;
  devicesPerSecond: number | null;
  quietHours: QuietHours | null;
  defaultTimeZone: string | null;
  countsContacts: boolean;
  from: string;
  to: string;
  ceiling: string;
  revision: number;
}

/**
 * @returns null if there is nothing to resolve; only `startsAt` of a scheduled message whose time has not come. Any
 *   other message has begun, even if the clock was put back since it was accepted.
 */
export async function readResolution(
  executor: Executor,
  request: SliceRequest,
): Promise<Resolution | { startsAt: Date } | null> {
  const { messageId, windowSize, now } = request;
  const appId = parameter(request.appId);
  // The walk to the end of the window reads only the primary key. Named users are found by their names, without a
  // walk.
  const [row] = await rowsOfDay<ResolutionRow>(
    executor,
    sql`SELECT ${RESOLUTION_COLUMNS},
          coalesce(CASE WHEN m.user_ids IS NULL THEN (
            SELECT i.id FROM installations i
            WHERE i.app_id = ${appId} AND i.id > m.resolved_through AND i.id <= m.resolve_ceiling
            ORDER BY i.id OFFSET ${windowSize}::integer - 1 LIMIT 1
          ) END, m.resolve_ceiling)::text AS to
        FROM ${dayOfMessage(messageId).messages} m JOIN applications a ON a.app_id = m.app_id
        WHERE m.app_id = ${appId} AND m.id = ${messageId} AND m.status <> 'done' AND m.resolved_at IS NULL`,
  );
  if (!row) return null;
  if (row.isScheduled && row.startsAt > now && !row.isCancelled) return { startsAt: row.startsAt };
  return resolutionOf(row, request);
}

/** Returns what is left to do for a message that is due or cancelled. */
function resolutionOf(
  row: ResolutionRow,
  { appId, messageId, now }: Pick<SliceRequest, 'appId' | 'messageId' | 'now'>,
): Resolution {
  const { isCancelled, channel, startsAt, expiresAt, from, to, ceiling, revision } = row;
  const who = audienceMembersOf(row);
  const reach = reachOf(row.kind, row.content);
  const isExpired = now.getTime() >= lastCallAt(startsAt.getTime(), expiresAt.getTime());
  return {
    selection: { appId, acceptedAt: startsAt, channel, who, reach, split: splitOf(row.content, messageId) },
    from,
    to,
    ceiling,
    revision,
    isCancelled,
    endState: isCancelled ? 'cancelled' : isExpired ? 'expired' : null,
    waitingEndsAt: new Date(waitingEndsAt(reach === 'live', startsAt.getTime(), expiresAt.getTime())),
    holdsConnections: row.countsContacts && capRoleOf(row.lane, row.content).isCounted,
    timing: isCancelled ? null : timingOf(row, reach, row.content.winner !== undefined),
    plans: [],
  };
}

/**
 * Returns when a message is sent; null: all of it now, as fast as possible. `live` keeps no quiet hours: people who have the app open are awake.
 */
function timingOf(row: ResolutionRow, reach: Reach, hasWinner: boolean): MessageTiming | null {
  const { rate, devicesPerSecond, localTimeMs, lane } = row;
  const quietHours = reach !== 'live' && keepsQuietHours(row.quietHours, lane) ? row.quietHours : null;
  const isSteered = [rate, devicesPerSecond, localTimeMs, quietHours].some((limit) => limit !== null);
  if (!isSteered && !hasWinner) return null;
  const localTime = localTimeMs === null ? null : new Date(localTimeMs);
  return { ...row, reach, quietHours, localTime };
}

/** The columns of `ResolutionRow` except `to`, of a message `m` and its application `a`. */
const RESOLUTION_COLUMNS = sql`
    m.status = 'cancelled' AS "isCancelled", m.kind, m.content, m.audience, m.user_ids AS "userIds", m.channel, m.lane, m.accepted_at AS "acceptedAt",
    greatest(m.send_at, m.accepted_at) AS "startsAt", m.send_at IS NOT NULL AS "isScheduled", m.expires_at AS "expiresAt", m.rate, m.ttl_seconds AS "ttlSeconds",
    (extract(epoch FROM m.local_time) * 1000)::float8 AS "localTimeMs", a.devices_per_second AS "devicesPerSecond",
    CASE WHEN NOT m.ignore_quiet_hours THEN a.quiet_hours END AS "quietHours", a.default_time_zone AS "defaultTimeZone",
    a.contacts_since IS NOT NULL AS "countsContacts",
    m.resolved_through::text AS from, m.resolve_ceiling::text AS ceiling, m.revision`;

/** Several messages of one application, and the present moment. */
export interface MessagesToRead {
  appId: string;
  messageIds: readonly string[];
  now: Date;
}

/** One of them that is not completely resolved; `early`: its time has not come. */
type ReadMessage = { messageId: string; startsAt: Date } & (
  { kind: 'early' } | { kind: 'due'; resolution: Resolution }
);

/** Like `readResolution`, for several messages. Messages that need no resolving (any more) are left out. */
export async function readResolutions(executor: Executor, messages: MessagesToRead): Promise<ReadMessage[]> {
  // The statement is not prepared: with the ids at hand, PostgreSQL plans only for the partitions that hold them.
  const found = await rows<ResolutionRow & { messageId: string }>(
    executor,
    sql`SELECT m.id AS "messageId", ${RESOLUTION_COLUMNS}, m.resolve_ceiling::text AS to
        FROM messages m JOIN applications a ON a.app_id = m.app_id
        WHERE m.app_id = ${messages.appId} AND m.id = ANY (${messages.messageIds}::uuid[]) AND m.status <> 'done'
          AND m.resolved_at IS NULL`,
  );
  return found.map((row) => {
    const { messageId, startsAt } = row;
    if (row.isScheduled && startsAt > messages.now && !row.isCancelled) return { messageId, startsAt, kind: 'early' };
    return { messageId, startsAt, kind: 'due', resolution: resolutionOf(row, { ...messages, messageId }) };
  });
}
