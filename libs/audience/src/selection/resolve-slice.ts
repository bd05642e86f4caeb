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
import { needsZones, planZones, type Course } from './plan-zones';
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
  if (!('course' in resolution)) return { kind: 'early', ...resolution };
  const { course } = resolution;
  if (course === null) return writeSlice(executor, request, resolution);
  const zones = needsZones(course) ? await listTimeZones(executor, request.appId) : [];
  return writeSlice(executor, request, { ...resolution, plans: planZones(course, zones, request.now) });
}

interface SliceRow {
  lane: Lane;
  pages: WrittenPage[];
  edges: EdgeIds;
  found: number;
  reached: number;
  isFinished: boolean;
}

/** When recovery looks at a message whose worker makes no progress any more. */
const FORSAKEN_AFTER = sql`interval '10 seconds'`;

/**
 * Writes one stretch, if the message has not changed since `resolution` was read and no other worker holds it. A user
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
  const way = wayOf(routed, { app, message, day, now }, request, resolution);
  // The lock is the row of the message: a worker that does not get it, or finds it changed, reads no installation.
  return sql`
    WITH held AS MATERIALIZED (
      SELECT lane, greatest(planned_through, ${now}) AS planned_from, winner_variant IS NULL AS is_testing, expires_at FROM ${day.messages}
      WHERE app_id = ${app} AND id = ${message} AND resolved_through = ${from} AND resolved_at IS NULL
        AND revision = ${resolution.revision} AND status = ${resolution.isCancelled ? 'cancelled' : 'accepted'}
      FOR NO KEY UPDATE SKIP LOCKED
    ), routed AS MATERIALIZED (${way.routed}
    ), ${way.distribution}, step AS (
      SELECT held.lane, tally.*, seen.found,
        CASE WHEN seen.found < ${sliceSize} THEN ${to} ELSE seen.last END AS through
      FROM held CROSS JOIN tally CROSS JOIN (SELECT count(*) AS found, max(id) AS last FROM routed) seen
    ), advanced AS (
      UPDATE ${day.messages} m
      SET resolved_through = step.through, recipients = m.recipients + step.on_pages,
        planned_through = ${way.plannedThrough}, winner_due_at = ${winnerDueAt(resolution, now, sql`step.through >= ${ceiling}`)},
        resolved_at = CASE WHEN step.through >= ${ceiling} THEN ${now} END,
        wake_at = ${now} + CASE WHEN step.through >= ${ceiling} THEN ${UNENDED_AFTER} ELSE ${FORSAKEN_AFTER} END,
        inbox_ends_at = CASE WHEN step.waiting > 0 THEN ${resolution.waitingEndsAt}::timestamptz
          ELSE m.inbox_ends_at END
      FROM step
      WHERE m.app_id = ${app} AND m.id = ${message} AND m.resolved_through = ${from}
    )
    SELECT lane, ${way.pages} AS pages, ${AWAKE_EDGES} AS edges, found::integer AS found, reachable::integer AS reached,
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

/** The parts of the statement of a stretch that depend on the steering. */
interface Way {
  routed: Sql;
  distribution: Sql;
  pages: Sql;
  plannedThrough: Sql;
}

function wayOf(
  routed: Sql,
  message: Pick<DistributionTerms, 'app' | 'message' | 'day' | 'now'>,
  request: SliceRequest,
  { course, endState: end, plans, holdsConnections }: Resolution,
): Way {
  const endState = parameter(end, 'text');
  const terms: DistributionTerms = {
    ...message,
    lane: sql`(SELECT lane FROM held)`,
    pageSize: parameter(pageSizeOf(request, course), 'integer'),
    wakeAt: sql`${message.now} + ${UNCLAIMED_AFTER}`,
    isOver: sql`(${endState} IS NOT NULL)`,
    endState,
    holdsConnections,
  };
  if (course === null)
    return {
      routed: holdsConnections ? withoutEdges(routed) : routed,
      distribution: distributionSql(terms),
      pages: WRITTEN_PAGES,
      plannedThrough: sql`NULL`,
    };
  return {
    routed: steeredSql(routed, plans, course.rate !== null || holdsConnections),
    distribution: spreadSql({ ...terms, rate: parameter(rateOf(course), 'integer') }),
    pages: writtenPagesSql(message.now),
    plannedThrough: sql`(SELECT through FROM spread)`,
  };
}

/** Returns the routed devices without edges: no edge gets a message that waits for its devices. */
function withoutEdges(routed: Sql): Sql {
  return sql`SELECT id, vendor, push_type, reason, NULL::text AS edge_id FROM (${routed}) w`;
}

/** Returns the highest speed of a message, in devices per second; null: no limit. */
function rateOf({ rate, devicesPerSecond }: Course): number | null {
  return rate === null ? devicesPerSecond : Math.min(rate, devicesPerSecond ?? rate);
}

function pageSizeOf({ pageSize }: SliceRequest, course: Course | null): number {
  return course === null ? pageSize : pacedPageSize(pageSize, rateOf(course));
}
