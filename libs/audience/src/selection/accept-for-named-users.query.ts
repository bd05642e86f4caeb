import { type Executor, preparedRows } from '@postrider/persistence';
import { SqlParameters } from '../sql/sql-parameters';
import type { AcceptedMessage } from './accepted-message';
import type { AudienceMembers, AudienceSelection, DevicesByVendor, WrittenPage } from './audience-selection';
import { distributionSql, WRITTEN_PAGES } from './distribution-sql';
import { inboxEndsAt } from './inbox-ends-at';
import { compileMembership } from './membership-sql';
import { messageColumns } from './message-columns';
import type { NewMessage } from './new-message';
import { RoutingSql } from './routing-sql';

type NamedUsers = AudienceSelection & { who: Extract<AudienceMembers, { kind: 'users' }> };

/** When the sweeper looks at a page that no delivery worker has claimed, and at a message that nobody has ended. */
const UNCLAIMED_AFTER = `interval '5 seconds'`;
const UNENDED_AFTER = `interval '30 seconds'`;

/**
 * Accepts a message to named users in one statement: finds their devices, writes pages and delivery rows, and the message
 * as already resolved. A message that no device needs a page for is done at once.
 */
export async function acceptForNamedUsers(
  executor: Executor,
  message: NewMessage,
  selection: NamedUsers,
  pageSize: number,
): Promise<AcceptedMessage> {
  const parameters = new SqlParameters();
  const columns = messageColumns(message, selection, parameters);
  const { app, id, lane, acceptedAt } = columns;
  const inboxEnd = parameters.add(inboxEndsAt(selection.reach, message.acceptedAt, message.expiresAt));
  const routing = new RoutingSql(selection.reach, app, parameters);
  const membership = compileMembership(selection, app, parameters);
  const distribution = distributionSql({
    app,
    message: id,
    lane,
    pageSize: parameters.add(pageSize),
    now: acceptedAt,
    wakeAt: `${acceptedAt} + ${UNCLAIMED_AFTER}`,
    isExpired: 'false',
  });
  const [accepted] = await preparedRows<{ count: number; byVendor: DevicesByVendor; pages: WrittenPage[] }>(
    executor,
    `WITH routed AS MATERIALIZED (
      SELECT i.id, ${routing.vendor} AS vendor, ${routing.reason()} AS reason
      FROM installations i ${routing.join} ${membership.join}
      WHERE ${membership.condition}
    ), ${distribution}, accepted AS (
      INSERT INTO messages (${columns.names}, count, recipients, resolve_ceiling, resolved_at, status, done_at, wake_at,
        inbox_ends_at)
      SELECT ${columns.values}, tally.reachable, tally.on_pages, 0, ${acceptedAt},
        CASE WHEN on_pages = 0 THEN 'done' ELSE 'accepted' END,
        CASE WHEN on_pages = 0 THEN ${acceptedAt} END,
        CASE WHEN on_pages > 0 THEN ${acceptedAt} + ${UNENDED_AFTER} END,
        CASE WHEN in_inboxes > 0 THEN ${inboxEnd}::timestamptz END
      FROM tally
    )
    SELECT reachable::integer AS count, by_vendor AS "byVendor", ${WRITTEN_PAGES} AS pages FROM tally`,
    parameters.values,
  );
  if (!accepted) throw new Error('An acceptance gave no row');
  return { ...accepted, needsResolving: false };
}
