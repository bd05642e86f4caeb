import { sql, type Sql } from '../sql';

/**
 * How long before its time a page of a push service is enqueued, so that its job waits in the queue when the time comes. A page
 * that is due within this time is enqueued when it is written; recovery enqueues the others.
 */
export const PAGE_ENQUEUED_AHEAD = sql`interval '3 seconds'`;

/**
 * Returns when a page with a time is due for recovery (`pages.wake_at`): a little before its time, so that its job is
 * there by then. A page of connections has no job, so it is due at its time.
 *
 * @param page `vendor` is the vendor of the page, `time` its time, NULL if it has none
 */
export function wakesAt({ vendor, time }: { vendor: Sql; time: Sql }): Sql {
  return sql`${time} - CASE WHEN ${vendor} = 'connection' THEN interval '0' ELSE ${PAGE_ENQUEUED_AHEAD} END`;
}

/**
 * A condition: the page is due for recovery because of its time, and not because its message ends before that. A
 * message that ends less than ten seconds before the time of its page can wait for that time.
 */
export function isAboutTime(page: Sql): Sql {
  return sql`${page}.not_before <= ${page}.wake_at + interval '10 seconds'`;
}
