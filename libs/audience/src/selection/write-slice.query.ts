import { type Lane, pacedPageSize } from '@postrider/domain';
import { type Executor, preparedRows, rows } from '@postrider/persistence';
import { SqlParameters } from '../sql/sql-parameters';
import type { EdgeIds, WrittenPage } from './audience-selection';
import { AWAKE_EDGES, distributionSql, type DistributionTerms, WRITTEN_PAGES } from './distribution-sql';
import { compileMembership } from './membership-sql';
import type { Course } from './plan-zones';
import type { Resolution } from './read-resolution.query';
import type { SliceOutcome, SliceRequest } from './resolution';
import { RoutingSql } from './routing-sql';
import { spreadSql, steeredSql, writtenPagesSql } from './spread-sql';

interface SliceRow {
  lane: Lane;
  pages: WrittenPage[];
  edges: EdgeIds;
  found: number;
  reached: number;
  isFinished: boolean;
}

/** When the sweeper looks at a message whose worker no longer gets on with it, and at one that nobody has ended. */
const FORSAKEN_AFTER = `interval '10 seconds'`;
const UNENDED_AFTER = `interval '30 seconds'`;
const UNCLAIMED_AFTER = `interval '1 second'`;

/**
 * Writes one stretch, if the message still stands where `resolution` was read and nobody else is at it. Whoever took the
 * device after the message was accepted does not get it.
 */
export async function writeSlice(
  executor: Executor,
  request: SliceRequest,
  resolution: Resolution,
): Promise<SliceOutcome> {
  const { statement, values } = sliceStatement(request, resolution);
  // The text for named users is always the same; that of a segment grows with its rules.
  const run = resolution.selection.who.kind === 'users' ? preparedRows<SliceRow> : rows<SliceRow>;
  const [slice] = await run(executor, statement, values);
  return slice ? { kind: 'resolved', ...slice } : { kind: 'taken' };
}

function sliceStatement(request: SliceRequest, resolution: Resolution): { statement: string; values: unknown[] } {
  const { selection, from, to, ceiling, course } = resolution;
  const parameters = new SqlParameters([selection.appId, request.messageId, from, to, ceiling, request.now]);
  const routing = new RoutingSql(selection.reach, '$1', parameters, 'p.id > $3::bigint AND p.id <= $4::bigint');
  const membership = compileMembership(selection, '$1', parameters, 'each');
  const sliceSize = parameters.add(request.sliceSize);
  const now = '$6::timestamptz';
  const endState = `${parameters.add(resolution.endState)}::text`;
  const terms: DistributionTerms = {
    app: '$1',
    message: '$2',
    lane: '(SELECT lane FROM held)',
    pageSize: parameters.add(pageSizeOf(request, course)),
    now,
    wakeAt: `${now} + ${UNCLAIMED_AFTER}`,
    isOver: `(${endState} IS NOT NULL)`,
    endState,
  };
  const routed = `
      SELECT i.id, ${routing.vendor} AS vendor, ${routing.reason()} AS reason, ${routing.edge} AS edge_id, i.time_zone
      FROM installations i ${routing.join} ${membership.join}
      WHERE EXISTS (SELECT FROM held) AND i.id > $3::bigint AND i.id <= $4::bigint
        AND i.user_since <= ${parameters.add(selection.acceptedAt)}::timestamptz
        AND ${membership.condition}
      ORDER BY i.id LIMIT ${sliceSize}`;
  const way = course === null ? straight(routed, terms) : steered(routed, terms, course, resolution, parameters);
  // The lock is the message's own row: who does not get it, or finds it moved on, reads no installation at all.
  const statement = `
    WITH held AS MATERIALIZED (
      SELECT lane, greatest(planned_through, ${now}) AS planned_from FROM messages
      WHERE app_id = $1 AND id = $2 AND resolved_through = $3::bigint AND resolved_at IS NULL
        AND status = ${parameters.add(resolution.isCancelled ? 'cancelled' : 'accepted')}
      FOR NO KEY UPDATE SKIP LOCKED
    ), routed AS MATERIALIZED (${way.routed}
    ), ${way.distribution}, step AS (
      SELECT held.lane, tally.*, seen.found,
        CASE WHEN seen.found < ${sliceSize} THEN $4::bigint ELSE seen.last END AS through
      FROM held CROSS JOIN tally CROSS JOIN (SELECT count(*) AS found, max(id) AS last FROM routed) seen
    ), advanced AS (
      UPDATE messages m
      SET resolved_through = step.through, recipients = m.recipients + step.on_pages,
        planned_through = ${way.plannedThrough},
        resolved_at = CASE WHEN step.through >= $5::bigint THEN ${now} END,
        wake_at = ${now} + CASE WHEN step.through >= $5::bigint THEN ${UNENDED_AFTER} ELSE ${FORSAKEN_AFTER} END,
        inbox_ends_at = CASE WHEN step.in_inboxes > 0 THEN ${parameters.add(resolution.inboxEndsAt)}::timestamptz
          ELSE m.inbox_ends_at END
      FROM step
      WHERE m.app_id = $1 AND m.id = $2 AND m.resolved_through = $3::bigint
    )
    SELECT lane, ${way.pages} AS pages, ${AWAKE_EDGES} AS edges, found::integer AS found, reachable::integer AS reached,
      through >= $5::bigint AS "isFinished"
    FROM step`;
  return { statement, values: parameters.values };
}

/** How the devices of a stretch get to their pages, in pieces of its statement. */
interface Way {
  routed: string;
  distribution: string;
  pages: string;
  plannedThrough: string;
}

function straight(routed: string, terms: DistributionTerms): Way {
  return { routed, distribution: distributionSql(terms), pages: WRITTEN_PAGES, plannedThrough: 'NULL' };
}

function steered(
  routed: string,
  terms: DistributionTerms,
  course: Course,
  { plans }: Resolution,
  parameters: SqlParameters,
): Way {
  const rate = `${parameters.add(rateOf(course))}::integer`;
  const zones = parameters.add(plans.map(({ zone }) => zone));
  return {
    routed: steeredSql(routed, parameters.add(JSON.stringify(plans)), zones, course.rate !== null),
    distribution: spreadSql({ ...terms, rate }),
    pages: writtenPagesSql(terms.now),
    plannedThrough: '(SELECT through FROM spread)',
  };
}

/** How fast a message may go at the most. */
function rateOf({ rate, devicesPerSecond }: Course): number | null {
  return rate === null ? devicesPerSecond : Math.min(rate, devicesPerSecond ?? rate);
}

function pageSizeOf({ pageSize }: SliceRequest, course: Course | null): number {
  return course === null ? pageSize : pacedPageSize(pageSize, rateOf(course));
}
