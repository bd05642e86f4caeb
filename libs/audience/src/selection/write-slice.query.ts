import type { Lane } from '@postrider/domain';
import { type Executor, rows } from '@postrider/persistence';
import { SqlParameters } from '../sql/sql-parameters';
import type { WrittenPage } from './audience-selection';
import { distributionSql, WRITTEN_PAGES } from './distribution-sql';
import { compileMembership } from './membership-sql';
import type { Resolution } from './read-resolution.query';
import type { SliceOutcome, SliceRequest } from './resolution';
import { RoutingSql } from './routing-sql';

interface SliceRow {
  lane: Lane;
  pages: WrittenPage[];
  found: number;
  reached: number;
  isFinished: boolean;
}

/** When the sweeper looks at a message whose worker no longer gets on with it, and at one that nobody has ended. */
const FORSAKEN_AFTER = `interval '10 seconds'`;
const UNENDED_AFTER = `interval '30 seconds'`;
const UNCLAIMED_AFTER = `interval '5 seconds'`;

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
  const [slice] = await rows<SliceRow>(executor, statement, values);
  return slice ? { kind: 'resolved', ...slice } : { kind: 'taken' };
}

function sliceStatement(request: SliceRequest, resolution: Resolution): { statement: string; values: unknown[] } {
  const { selection, from, to, ceiling } = resolution;
  const parameters = new SqlParameters([selection.appId, request.messageId, from, to, ceiling, request.now]);
  const routing = new RoutingSql(selection.reach, '$1', parameters, 'p.id > $3::bigint AND p.id <= $4::bigint');
  const membership = compileMembership(selection, '$1', parameters, 'each');
  const sliceSize = parameters.add(request.sliceSize);
  const now = '$6::timestamptz';
  const distribution = distributionSql({
    app: '$1',
    message: '$2',
    lane: '(SELECT lane FROM held)',
    pageSize: parameters.add(request.pageSize),
    now,
    wakeAt: `${now} + ${UNCLAIMED_AFTER}`,
    isExpired: `${parameters.add(resolution.isExpired)}::boolean`,
  });
  // The lock is the message's own row: who does not get it, or finds it moved on, reads no installation at all.
  const statement = `
    WITH held AS MATERIALIZED (
      SELECT lane FROM messages
      WHERE app_id = $1 AND id = $2 AND resolved_through = $3::bigint AND resolved_at IS NULL AND status = 'accepted'
      FOR NO KEY UPDATE SKIP LOCKED
    ), routed AS MATERIALIZED (
      SELECT i.id, ${routing.vendor} AS vendor, ${routing.reason()} AS reason
      FROM installations i ${routing.join} ${membership.join}
      WHERE EXISTS (SELECT FROM held) AND i.id > $3::bigint AND i.id <= $4::bigint
        AND i.user_since <= ${parameters.add(selection.acceptedAt)}::timestamptz
        AND ${membership.condition}
      ORDER BY i.id LIMIT ${sliceSize}
    ), ${distribution}, step AS (
      SELECT held.lane, tally.*, seen.found,
        CASE WHEN seen.found < ${sliceSize} THEN $4::bigint ELSE seen.last END AS through
      FROM held CROSS JOIN tally CROSS JOIN (SELECT count(*) AS found, max(id) AS last FROM routed) seen
    ), advanced AS (
      UPDATE messages m
      SET resolved_through = step.through, recipients = m.recipients + step.on_pages,
        resolved_at = CASE WHEN step.through >= $5::bigint THEN ${now} END,
        wake_at = ${now} + CASE WHEN step.through >= $5::bigint THEN ${UNENDED_AFTER} ELSE ${FORSAKEN_AFTER} END,
        inbox_ends_at = CASE WHEN step.in_inboxes > 0 THEN ${parameters.add(resolution.inboxEndsAt)}::timestamptz
          ELSE m.inbox_ends_at END
      FROM step
      WHERE m.app_id = $1 AND m.id = $2 AND m.resolved_through = $3::bigint
    )
    SELECT lane, ${WRITTEN_PAGES} AS pages, found::integer AS found, reachable::integer AS reached,
      through >= $5::bigint AS "isFinished"
    FROM step`;
  return { statement, values: parameters.values };
}
