import type { LeasedPage, PageKey } from '../messages/message-key';
import { parameter, sql, type Sql } from '../sql';

/** A claim that failed, so that nobody knows if it was recorded. */
export interface UnknownClaim extends PageKey {
  /** The end of the lease that was asked for. */
  leaseUntil: Date;
}

/** The statement of `PagesRepository.excuseLeases`. */
export function excuseLeasesStatement(pages: readonly LeasedPage[], leasedBy: string): Sql {
  const [ids, fences] = [pages.map(({ pageId }) => pageId), pages.map(({ fence }) => fence)];
  const [appIds, messageIds] = [pages.map(({ appId }) => appId), parameter(pages.map(({ messageId }) => messageId))];
  return sql`UPDATE pages p
    SET state = CASE WHEN p.fence = held.fence THEN 'waiting' ELSE p.state END,
      leased_by = CASE WHEN p.fence = held.fence THEN NULL ELSE p.leased_by END,
      losses = CASE WHEN p.fence = held.fence THEN p.losses ELSE greatest(p.losses - 1, 0) END
    FROM unnest(${appIds}::text[], ${messageIds}::uuid[], ${ids}::uuid[], ${fences}::integer[]) AS held (app_id, message_id, id, fence)
    WHERE p.app_id = held.app_id AND p.message_id = held.message_id AND p.id = held.id
      AND p.message_id = ANY (${messageIds}::uuid[]) AND p.state <> 'finished'
      AND ((p.fence = held.fence AND p.leased_by = ${leasedBy}) OR p.fence > held.fence)`;
}

/** The statement of `PagesRepository.giveBackUnknown`. */
export function giveBackUnknownStatement(claims: readonly UnknownClaim[], leasedBy: string): Sql {
  const [appIds, messageIds] = [claims.map(({ appId }) => appId), parameter(claims.map(({ messageId }) => messageId))];
  return sql`UPDATE pages p SET state = 'waiting', leased_by = NULL
    FROM unnest(${appIds}::text[], ${messageIds}::uuid[], ${claims.map(({ pageId }) => pageId)}::uuid[],
      ${claims.map(({ leaseUntil }) => leaseUntil)}::timestamptz[]) AS asked (app_id, message_id, id, lease_until)
    WHERE p.app_id = asked.app_id AND p.message_id = asked.message_id AND p.id = asked.id
      AND p.message_id = ANY (${messageIds}::uuid[]) AND p.state = 'running'
      AND p.leased_by = ${leasedBy} AND p.wake_at = asked.lease_until`;
}
