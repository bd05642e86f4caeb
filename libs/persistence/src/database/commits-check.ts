import { SECOND_MS } from '@postrider/domain';
import { type Database, rows } from './executor';

/** A standby that is a moment late makes no process unready. */
const PATIENCE_MS = 10 * SECOND_MS;
const READ_ONLY =
  'PostgreSQL takes no writes: it is a standby, or default_transaction_read_only is on for the database or the role';

/**
 * Asks PostgreSQL whether it answers, whether it takes writes, and whether it commits. A standby takes no writes, nor does a server
 * whose database or role has `default_transaction_read_only`, as a provider sets it when the disk is nearly full. While no synchronous
 * standby answers, each commit waits, without any limit: no time limit of a statement ends that wait, and a process that closed its
 * connection would only leave it to the server and add another. Reads are answered as always, so nothing else shows it.
 *
 * @param patienceMs how long a commit may take
 * @throws if PostgreSQL does not answer, or takes no writes, or if a commit of this role waits for longer
 */
export async function checkCommits(database: Database, patienceMs = PATIENCE_MS): Promise<void> {
  // A role sees the waits of its own statements only, unless it has `pg_read_all_stats`.
  const [found] = await rows<{ seconds: number | null; isReadOnly: boolean }>(
    database,
    `SELECT current_setting('transaction_read_only')::boolean AS "isReadOnly",
       round(extract(epoch FROM max(clock_timestamp() - query_start)))::int AS seconds
     FROM pg_stat_activity
     WHERE datname = current_database() AND usename = current_user AND wait_event = 'SyncRep'
       AND query_start <= clock_timestamp() - $1::float8 * interval '1 millisecond'`,
    [patienceMs],
  );
  if (found?.isReadOnly === true) throw new Error(READ_ONLY);
  if (typeof found?.seconds === 'number') throw new Error(describe(found.seconds));
}

function describe(seconds: number): string {
  return `a commit has waited for a synchronous standby for ${seconds} s: start it, or take it out of synchronous_standby_names`;
}
