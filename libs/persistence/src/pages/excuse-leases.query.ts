import { type Executor, rows } from '../database/executor';
import type { HeldPage } from './flush-page.query';

/**
 * Takes back what the ledger holds against `pages`, whose leases ended, or are about to end, without a result although their
 * owner is alive: it could not renew them, or it gave the page up. One that nobody claimed since waits again, as nobody's. One
 * that somebody did claim has lost a worker less. To be called once for each lease.
 */
export async function excuseLeases(executor: Executor, pages: readonly HeldPage[], leasedBy: string): Promise<void> {
  await rows(executor, EXCUSE_LEASES, [
    pages.map(({ appId }) => appId),
    pages.map(({ messageId }) => messageId),
    pages.map(({ pageId }) => pageId),
    pages.map(({ fence }) => fence),
    leasedBy,
  ]);
}

const EXCUSE_LEASES = `
  UPDATE pages p
  SET state = CASE WHEN p.fence = held.fence THEN 'waiting' ELSE p.state END,
    leased_by = CASE WHEN p.fence = held.fence THEN NULL ELSE p.leased_by END,
    losses = CASE WHEN p.fence = held.fence THEN p.losses ELSE greatest(p.losses - 1, 0) END
  FROM unnest($1::text[], $2::uuid[], $3::uuid[], $4::integer[]) AS held (app_id, message_id, id, fence)
  WHERE p.app_id = held.app_id AND p.message_id = held.message_id AND p.id = held.id AND p.state <> 'finished'
    AND ((p.fence = held.fence AND p.leased_by = $5) OR p.fence > held.fence)`;
