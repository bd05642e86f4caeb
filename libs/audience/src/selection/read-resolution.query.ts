import {
  type Channel,
  type DeliveryState,
  keepsQuietHours,
  type JsonObject,
  type Lane,
  lastCallAt,
  type MessageContent,
  type MessageKind,
  type QuietHours,
  type Reach,
  reachOf,
} from '@postrider/domain';
import { type Executor, parameter, preparedRows, sql } from '@postrider/persistence';
import type { AudienceSelection } from './audience-selection';
import { inboxEndsAt } from './inbox-ends-at';
import type { Course, ZonePlan } from './plan-zones';
import type { SliceRequest } from './resolution';

/**
 * A message whose audience is not yet wholly resolved, and the next stretch of installations to look at. One that was
 * cancelled is resolved too, and before its time: of every device there is a record of what became of it.
 */
export interface Resolution {
  selection: AudienceSelection;
  /** Installations up to here are resolved. */
  from: string;
  /** The last installation of the next stretch. */
  to: string;
  /** The last installation there was when the message was accepted. */
  ceiling: string;
  isCancelled: boolean;
  /** What becomes of every device of a message of which nothing is sent any more; null while something is. */
  endState: Extract<DeliveryState, 'expired' | 'cancelled'> | null;
  /** Until when deliveries may wait for a connection. */
  inboxEndsAt: Date;
  /** When and how fast its devices are sent to; null: at once, as fast as can be. */
  course: Course | null;
  /** When the devices in each time zone are sent to; empty without a course. */
  plans: ZonePlan[];
}

/** A message that is not yet wholly resolved, with what its application says about sending. */
export interface ResolutionRow {
  kind: MessageKind;
  content: MessageContent;
  audience: { target?: JsonObject; segment?: JsonObject; everyone?: boolean };
  userIds: string[] | null;
  channel: Channel;
  lane: Lane;
  acceptedAt: Date;
  isCancelled: boolean;
  startsAt: Date;
  expiresAt: Date;
  rate: number | null;
  localTimeMs: number | null;
  ttlSeconds: number | null;
  devicesPerSecond: number | null;
  quietHours: QuietHours | null;
  defaultTimeZone: string | null;
  from: string;
  to: string;
  ceiling: string;
}

/** @returns null when there is nothing to resolve; only `startsAt` of a message whose time has not come */
export async function readResolution(
  executor: Executor,
  request: SliceRequest,
): Promise<Resolution | { startsAt: Date } | null> {
  const { messageId, windowSize, now } = request;
  const appId = parameter(request.appId);
  // The walk to the end of the stretch reads the primary key alone. Named users are found by their names: no walk.
  const [row] = await preparedRows<ResolutionRow>(
    executor,
    sql`SELECT ${RESOLUTION_COLUMNS},
          coalesce(CASE WHEN m.user_ids IS NULL THEN (
            SELECT i.id FROM installations i
            WHERE i.app_id = ${appId} AND i.id > m.resolved_through AND i.id <= m.resolve_ceiling
            ORDER BY i.id OFFSET ${windowSize}::integer - 1 LIMIT 1
          ) END, m.resolve_ceiling)::text AS to
        FROM messages m JOIN applications a ON a.app_id = m.app_id
        WHERE m.app_id = ${appId} AND m.id = ${messageId} AND m.status <> 'done' AND m.resolved_at IS NULL`,
  );
  if (!row) return null;
  if (row.startsAt > now && !row.isCancelled) return { startsAt: row.startsAt };
  return resolutionOf(row, request);
}

/** What is left to do of a message that is due, or cancelled. */
export function resolutionOf(row: ResolutionRow, { appId, now }: Pick<SliceRequest, 'appId' | 'now'>): Resolution {
  const { isCancelled, channel, startsAt, expiresAt, from, to, ceiling } = row;
  const who = membersOf(row);
  const reach = reachOf(row.kind, row.content);
  const isExpired = now.getTime() >= lastCallAt(startsAt.getTime(), expiresAt.getTime());
  return {
    selection: { appId, acceptedAt: startsAt, channel, who, reach },
    from,
    to,
    ceiling,
    isCancelled,
    endState: isCancelled ? 'cancelled' : isExpired ? 'expired' : null,
    inboxEndsAt: inboxEndsAt(reach, startsAt, expiresAt),
    course: isCancelled ? null : courseOf(row, reach),
    plans: [],
  };
}

function membersOf({ audience, userIds }: ResolutionRow): AudienceSelection['who'] {
  if (userIds !== null) return { kind: 'users', userIds };
  if (audience.everyone) return { kind: 'everyone' };
  return { kind: 'rules', target: audience.target, segment: audience.segment };
}

/** Quiet hours are of no concern to `live`: whoever has the app open is awake. */
function courseOf(row: ResolutionRow, reach: Reach): Course | null {
  const { rate, devicesPerSecond, localTimeMs, lane } = row;
  const quietHours = reach !== 'live' && keepsQuietHours(row.quietHours, lane) ? row.quietHours : null;
  if (rate === null && devicesPerSecond === null && localTimeMs === null && quietHours === null) return null;
  const localTime = localTimeMs === null ? null : new Date(localTimeMs);
  return { ...row, reach, quietHours, localTime };
}

/** What `resolutionOf` needs of a message `m` and its application `a`, but for `to`. */
export const RESOLUTION_COLUMNS = sql`
    m.status = 'cancelled' AS "isCancelled", m.kind, m.content, m.audience, m.user_ids AS "userIds", m.channel, m.lane, m.accepted_at AS "acceptedAt",
    greatest(m.send_at, m.accepted_at) AS "startsAt", m.expires_at AS "expiresAt", m.rate, m.ttl_seconds AS "ttlSeconds",
    (extract(epoch FROM m.local_time) * 1000)::float8 AS "localTimeMs", a.devices_per_second AS "devicesPerSecond",
    CASE WHEN NOT m.ignore_quiet_hours THEN a.quiet_hours END AS "quietHours", a.default_time_zone AS "defaultTimeZone",
    m.resolved_through::text AS from, m.resolve_ceiling::text AS ceiling`;
