import type { LeasedPage, PageKey } from '../partitions/message-key';
import { parameter, sql, type Sql } from '../sql';

/** A claim that failed, so that nobody knows if it was recorded. */
export interface UnknownClaim extends PageKey {
  /** The end of the lease that was asked for. */
  leaseUntil: Date;
}

/** The statement of `PagesRepository.undoLosses`. It locks the pages in their order (`inLockOrder`). */
export function undoLossesStatement(pages: readonly LeasedPage[], leasedBy: string): Sql {
  const [ids, fences] = [pages.map(({ pageId }) => pageId), pages.map(({ fence }) => fence)];
  const [appIds, messageIds] = [pages.map(({ appId }) => appId), parameter(pages.map(({ messageId }) => messageId))];
  return sql`WITH held AS MATERIALIZED (
      SELECT p.app_id, p.message_id, p.id, asked.fence
      FROM unnest(${appIds}::text[], ${messageIds}::uuid[], ${ids}::uuid[], ${fences}::integer[]) AS asked (app_id, message_id, id, fence)
      JOIN pages p ON p.app_id = asked.app_id AND p.message_id = asked.message_id AND p.id = asked.id
      WHERE p.message_id = ANY (${messageIds}::uuid[]) AND p.state <> 'finished'
        AND ((p.fence = asked.fence AND p.leased_by = ${leasedBy}) OR p.fence > asked.fence)
      ORDER BY p.message_id, p.id FOR NO KEY UPDATE OF p
    )
    UPDATE pages p
    SET state = CASE WHEN p.fence = held.fence THEN 'waiting' ELSE p.state END,
      leased_by = CASE WHEN p.fence = held.fence THEN NULL ELSE p.leased_by END,
      losses = CASE WHEN p.fence = held.fence THEN p.losses ELSE greatest(p.losses - 1, 0) END
    FROM held
    WHERE p.app_id = held.app_id AND p.message_id = held.message_id AND p.id = held.id AND p.message_id = ANY (${messageIds}::uuid[])`;
}

/** The statement of `PagesRepository.giveBackUnknown`. It locks the pages in their order (`inLockOrder`). */
export function giveBackUnknownStatement(claims: readonly UnknownClaim[], leasedBy: string): Sql {
  const [appIds, messageIds] = [claims.map(({ appId }) => appId), parameter(claims.map(({ messageId }) => messageId))];
  return sql`WITH held AS MATERIALIZED (
      SELECT p.app_id, p.message_id, p.id
      FROM unnest(${appIds}::text[], ${messageIds}::uuid[], ${claims.map(({ pageId }) => pageId)}::uuid[],
        ${claims.map(({ leaseUntil }) => leaseUntil)}::timestamptz[]) AS asked (app_id, message_id, id, lease_until)
      JOIN pages p ON p.app_id = asked.app_id AND p.message_id = asked.message_id AND p.id = asked.id
      WHERE p.message_id = ANY (${messageIds}::uuid[]) AND p.state = 'running'
        AND p.leased_by = ${leasedBy} AND p.wake_at = asked.lease_until
      ORDER BY p.message_id, p.id FOR NO KEY UPDATE OF p
    )
    UPDATE pages p SET state = 'waiting', leased_by = NULL
    FROM held
    WHERE p.app_id = held.app_id AND p.message_id = held.message_id AND p.id = held.id AND p.message_id = ANY (${messageIds}::uuid[])`;
}
