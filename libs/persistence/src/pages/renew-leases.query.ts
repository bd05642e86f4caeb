import { type Executor, rows } from '../database/executor';
import type { HeldPage } from './flush-page.query';

/** Who holds pages, and until when from now on. */
export interface Renewal {
  leasedBy: string;
  leaseUntil: Date;
}

/**
 * Renews the leases of all pages that a worker has in hand. A lease that was over is renewed too, as long as nobody else
 * claimed the page.
 *
 * @returns the ids of the pages that are still its own
 */
export async function renewLeases(
  executor: Executor,
  pages: readonly HeldPage[],
  { leasedBy, leaseUntil }: Renewal,
): Promise<Set<string>> {
  const renewed = await rows<{ id: string }>(executor, RENEW_LEASES, [
    pages.map(({ appId }) => appId),
    pages.map(({ messageId }) => messageId),
    pages.map(({ pageId }) => pageId),
    pages.map(({ fence }) => fence),
    leasedBy,
    leaseUntil,
  ]);
  return new Set(renewed.map(({ id }) => id));
}

const RENEW_LEASES = `
  UPDATE pages p
  SET state = 'running', wake_at = $6
  FROM unnest($1::text[], $2::uuid[], $3::uuid[], $4::integer[]) AS held (app_id, message_id, id, fence)
  WHERE p.app_id = held.app_id AND p.message_id = held.message_id AND p.id = held.id AND p.fence = held.fence
    AND p.leased_by = $5
  RETURNING p.id`;
