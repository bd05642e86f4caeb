import { type Executor, rows } from '../database/executor';
import type { PageKey } from './claim-page.query';

/**
 * When a page can be claimed that could not be claimed just now: `now` when somebody held its row for a moment, its own time
 * when it waits for that, the end of its lease when a worker has it.
 *
 * @returns null when the page is finished or gone: nobody has to come back for it
 */
export async function findPageDue(
  executor: Executor,
  { appId, messageId, pageId }: PageKey,
  now: Date,
): Promise<Date | null> {
  const [page] = await rows<{ dueAt: Date }>(executor, FIND_PAGE_DUE, [appId, messageId, pageId, now]);
  return page?.dueAt ?? null;
}

const FIND_PAGE_DUE = `
  SELECT CASE WHEN p.state = 'running' THEN p.wake_at
    WHEN m.status = 'cancelled' OR coalesce(p.expires_at, m.expires_at) <= $4 THEN $4
    ELSE coalesce(p.not_before, $4) END AS "dueAt"
  FROM pages p JOIN messages m ON m.app_id = $1 AND m.id = $2
  WHERE p.app_id = $1 AND p.message_id = $2 AND p.id = $3 AND p.state <> 'finished'`;
