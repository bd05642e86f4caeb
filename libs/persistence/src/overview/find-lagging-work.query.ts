import { type Executor, rows } from '../database/executor';

/** Work that nobody has taken on though it could be. */
export interface LaggingWork {
  pages: number;
  messages: number;
  /** Since when the oldest of it waits; null: nothing waits. */
  since: Date | null;
}

/** At most so many are counted: more are as bad. */
const MOST_COUNTED = 10_000;

/**
 * Pages that wait for a delivery worker, and messages whose audience nobody resolves, since before `before`. What waits for
 * its time, for its turn or for a vendor's retry is left out.
 */
export async function findLaggingWork(executor: Executor, appId: string, before: Date): Promise<LaggingWork> {
  const [found] = await rows<LaggingWork>(
    executor,
    `WITH pages AS (
       SELECT created_at AS since FROM pages
       WHERE app_id = $1 AND state <> 'finished' AND state = 'waiting' AND attempt = 1 AND NOT is_steered
         AND not_before IS NULL AND created_at < $2 LIMIT ${MOST_COUNTED}
     ), messages AS (
       SELECT accepted_at AS since FROM messages
       WHERE app_id = $1 AND wake_at IS NOT NULL AND wake_at < $2 AND resolved_at IS NULL AND status = 'accepted'
         AND accepted_at < $2 AND (send_at IS NULL OR send_at < $2) LIMIT ${MOST_COUNTED}
     )
     SELECT (SELECT count(*)::int FROM pages) AS pages, (SELECT count(*)::int FROM messages) AS messages,
       least((SELECT min(since) FROM pages), (SELECT min(since) FROM messages)) AS since`,
    [appId, before],
  );
  return found ?? { pages: 0, messages: 0, since: null };
}
