import {
  dayOfMessage,
  type Executor,
  isFirstOwner,
  parameter,
  type Parameter,
  rowsOfDay,
  sql,
  type Sql,
} from '@postrider/persistence';
import { listTimeZones } from './read-audiences';
import { needsZones, planZones, type MessageTiming } from './plan-zones';
import { readResolution, type SliceOutcome, type SliceRequest, type Resolution } from './read-resolution';
import { type Lane, pacedPageSize } from '@postrider/domain';
import { type EdgeIds, type WrittenPage, compileMembership } from './audience-selection';
import {
  AWAKE_EDGES,
  distributionSql,
  type DistributionTerms,
  WRITTEN_PAGES,
  UNENDED_AFTER,
  UNCLAIMED_AFTER,
} from './distribution-sql';
import { waitsForWinner } from './campaign-split';
import { routingOf, TOKEN_VENDOR } from './routing-sql';
import { spreadSql, steeredSql, writtenPagesSql } from './spread-sql';

/**
 * Resolves the next slice of the audience of a message: it writes pages and delivery rows, and the progress of the
 * message, all at once or not at all. Only one worker gets a slice, however many try. If that worker dies, the next one
 * continues, so every recipient is on exactly one page or delivery row.
 */
export async function resolveSlice(executor: Executor, request: SliceRequest): Promise<SliceOutcome> {
  const resolution = await readResolution(executor, request);
  if (!resolution) return { kind: 'over' };
  if (!('timing' in resolution)) return { kind: 'early', ...resolution };
  const { timing } = resolution;
  if (timing === null) return writeSlice(executor, request, resolution);
  const zones = needsZones(timing) ? await listTimeZones(executor, request.appId) : [];
  return writeSlice(executor, request, { ...resolution, plans: planZones(timing, zones, request.now) });
}

interface SliceRow {
  lane: Lane;
  pages: WrittenPage[];
  edges: EdgeIds;
  found: number;
  reached: number;
  isFinished: boolean;
}

/** If no slice of a message was written for this long, recovery takes the worker for dead. */
const RECOVERED_AFTER = sql`interval '10 seconds'`;

/**
 * Writes one slice, if the message has not changed since `resolution` was read and no other worker holds it. A user
 * who took a device from another user after the message began does not get it on that device.
 */
async function writeSlice(executor: Executor, request: SliceRequest, resolution: Resolution): Promise<SliceOutcome> {
  // The statement for named users is always the same, so it is prepared; that of a segment depends on its rules.
  const isPrepared = resolution.selection.who.kind === 'users';
  const [slice] = await rowsOfDay<SliceRow>(executor, sliceStatement(request, resolution), isPrepared);
  return slice ? { kind: 'resolved', ...slice } : { kind: 'taken' };
}

function sliceStatement(request: SliceRequest, resolution: Resolution): Sql {
  const { selection } = resolution;
  const day = dayOfMessage(request.messageId);
  const [app, message] = [parameter(selection.appId), parameter(request.messageId)];
  const [from, to] = [parameter(resolution.from, 'bigint'), parameter(resolution.to, 'bigint')];
  const ceiling = parameter(resolution.ceiling, 'bigint');
  const sliceSize = parameter(request.sliceSize);
  const now = parameter(request.now, 'timestamptz');
  const routing = routingOf(selection, app, sql`p.id > ${from} AND p.id <= ${to}`);
  const membership = compileMembership(selection, app, 'each');
  const routed = sql`
      SELECT i.id, ${routing.vendor} AS vendor, ${TOKEN_VENDOR} AS push_type, ${routing.reason} AS reason, ${routing.edge} AS edge_id, i.time_zone,
        ${selection.split ? waitsForWinner(app, selection.split) : sql`false`} AS waits_for_winner
      FROM installations i ${routing.join} ${membership.join}
      WHERE EXISTS (SELECT FROM held) AND i.id > ${from} AND i.id <= ${to}
        AND (i.user_since <= ${selection.acceptedAt}::timestamptz OR ${isFirstOwner(sql`i`)})
        AND ${membership.condition}
      ORDER BY i.id LIMIT ${sliceSize}`;
  const parts = steeringPartsOf(routed, { app, message, day, now }, request, resolution);
  // The lock is the row of the message: a worker that does not get it, or finds it changed, reads no installation.
  return sql`
    WITH held AS MATERIALIZED (
      SELECT lane, greatest(planned_through, ${now}) AS planned_from, winner_variant IS NULL AS is_testing, expires_at FROM ${day.messages}
      WHERE app_id = ${app} AND id = ${message} AND resolved_through = ${from} AND resolved_at IS NULL
        AND revision = ${resolution.revision} AND status = ${resolution.isCancelled ? 'cancelled' : 'accepted'}
      FOR NO KEY UPDATE SKIP LOCKED
    ), routed AS MATERIALIZED (${parts.routed}
    ), ${parts.distribution}, step AS (
      SELECT held.lane, tally.*, seen.found,
        CASE WHEN seen.found < ${sliceSize} THEN ${to} ELSE seen.last END AS through
      FROM held CROSS JOIN tally CROSS JOIN (SELECT count(*) AS found, max(id) AS last FROM routed) seen
    ), advanced AS (
      UPDATE ${day.messages} m
      SET resolved_through = step.through, recipients = m.recipients + step.on_pages,
        planned_through = ${parts.plannedThrough}, winner_due_at = ${winnerDueAt(resolution, now, sql`step.through >= ${ceiling}`)},
        resolved_at = CASE WHEN step.through >= ${ceiling} THEN ${now} END,
        wake_at = ${now} + CASE WHEN step.through >= ${ceiling} THEN ${UNENDED_AFTER} ELSE ${RECOVERED_AFTER} END,
        inbox_ends_at = CASE WHEN step.waiting > 0 THEN ${resolution.waitingEndsAt}::timestamptz
          ELSE m.inbox_ends_at END
      FROM step
      WHERE m.app_id = ${app} AND m.id = ${message} AND m.resolved_through = ${from}
    )
    SELECT lane, ${parts.pages} AS pages, ${AWAKE_EDGES} AS edges, found::integer AS found, reachable::integer AS reached,
      through >= ${ceiling} AS "isFinished"
    FROM step`;
}

/**
 * Returns when the winner is chosen: `afterSeconds` after the first devices that are compared may be sent to. These are
 * found slice by slice, and may wait for their local time or the end of their quiet hours. If the message ends before
 * that, the winner is chosen halfway to its end, so that the others still get it. If no device is compared, the time
 * counts from the last slice.
 */
function winnerDueAt({ selection: { split }, endState }: Resolution, now: Parameter, isLastSlice: Sql): Sql {
  if (!split?.afterSeconds || endState !== null) return sql`m.winner_due_at`;
  const after = sql`make_interval(secs => ${parameter(split.afterSeconds, 'integer')})`;
  const first = sql`(
    SELECT min(CASE WHEN begins + ${after} < ends THEN begins + ${after} ELSE begins + (ends - begins) / 2 END)
    FROM (
      SELECT coalesce(r.due, ${now}) AS begins, coalesce(r.ends, held.expires_at) AS ends
      FROM routed r CROSS JOIN held WHERE r.vendor IS NOT NULL AND r.waits_for IS DISTINCT FROM 'winner'
    ) compared
  )`;
  const due = sql`coalesce(least(m.winner_due_at, ${first}), CASE WHEN ${isLastSlice} THEN ${now} + ${after} END)`;
  return sql`CASE WHEN m.winner_variant IS NULL THEN ${due} END`;
}

/** The parts of the statement of a slice that depend on the steering of the message. */
interface SteeringParts {
  routed: Sql;
  distribution: Sql;
  pages: Sql;
  plannedThrough: Sql;
}

function steeringPartsOf(
  routed: Sql,
  message: Pick<DistributionTerms, 'app' | 'message' | 'day' | 'now'>,
  request: SliceRequest,
  { timing, endState: end, plans, holdsConnections }: Resolution,
): SteeringParts {
  const endState = parameter(end, 'text');
  const terms: DistributionTerms = {
    ...message,
    lane: sql`(SELECT lane FROM held)`,
    pageSize: parameter(pageSizeOf(request, timing), 'integer'),
    wakeAt: sql`${message.now} + ${UNCLAIMED_AFTER}`,
    isOver: sql`(${endState} IS NOT NULL)`,
    endState,
    holdsConnections,
  };
  if (timing === null)
    return {
      routed: holdsConnections ? withoutEdges(routed) : routed,
      distribution: distributionSql(terms),
      pages: WRITTEN_PAGES,
      plannedThrough: sql`NULL`,
    };
  return {
    routed: steeredSql(routed, plans, timing.rate !== null || holdsConnections),
    distribution: spreadSql({ ...terms, rate: parameter(rateOf(timing), 'integer') }),
    pages: writtenPagesSql(message.now),
    plannedThrough: sql`(SELECT through FROM spread)`,
  };
}

/** Returns the routed devices without edges: no edge gets a message that waits for its devices. */
function withoutEdges(routed: Sql): Sql {
  return sql`SELECT id, vendor, push_type, reason, NULL::text AS edge_id FROM (${routed}) w`;
}

/** Returns the highest speed of a message, in devices per second; null: no limit. */
function rateOf({ rate, devicesPerSecond }: MessageTiming): number | null {
  return rate === null ? devicesPerSecond : Math.min(rate, devicesPerSecond ?? rate);
}

function pageSizeOf({ pageSize }: SliceRequest, timing: MessageTiming | null): number {
  return timing === null ? pageSize : pacedPageSize(pageSize, rateOf(timing));
}
