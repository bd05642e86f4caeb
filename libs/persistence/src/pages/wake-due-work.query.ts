import { type Executor, rows } from '../database/executor';

/** How much there was to wake. */
export interface WokenWork {
  pages: number;
  messages: number;
}

/**
 * Has the sweeper look now at all pages and messages that are due, or soon, although its next look at them is still to come:
 * the jobs that it trusted in are lost. What a worker has in hand, or what waits for a later moment, is left alone.
 */
export async function wakeDueWork(executor: Executor, now: Date): Promise<WokenWork> {
  const [woken] = await rows<WokenWork>(executor, WAKE_DUE_WORK, [now]);
  return woken ?? { pages: 0, messages: 0 };
}

/** Further ahead than this nothing has a job yet. */
const SOON = `$1::timestamptz + interval '10 seconds'`;

/** A look is put off by a minute at most: what is due later than that need not be read. */
const WAKE_DUE_WORK = `
  WITH woken_pages AS (
    UPDATE pages SET wake_at = $1
    WHERE wake_at > $1 AND wake_at <= $1::timestamptz + interval '1 minute' AND state = 'waiting' AND vendor <> 'connection'
      AND (not_before IS NULL OR not_before <= ${SOON})
    RETURNING 1
  ), woken_messages AS (
    UPDATE messages SET wake_at = $1
    WHERE wake_at > $1 AND wake_at <= $1::timestamptz + interval '1 minute' AND resolved_at IS NULL
      AND (send_at IS NULL OR send_at <= ${SOON})
    RETURNING 1
  )
  SELECT (SELECT count(*)::integer FROM woken_pages) AS pages, (SELECT count(*)::integer FROM woken_messages) AS messages`;
