import type { Database } from './executor';

/**
 * Runs `work` if no other process holds the lock named by `key` at this moment. The lock is a connection's own, so it ends
 * with the process that holds it. `work` runs on the pool, outside of that connection: should the connection break, another
 * process may begin before this one has ended, so `work` must be safe to run twice.
 *
 * @returns false when somebody else holds the lock; `work` did not run then
 */
export async function withAdvisoryLock(database: Database, key: number, work: () => Promise<void>): Promise<boolean> {
  const holder = database.createQueryRunner();
  try {
    const [answer] = (await holder.query(`SELECT pg_try_advisory_lock($1) AS "isMine"`, [key])) as {
      isMine: boolean;
    }[];
    if (!answer?.isMine) return false;
    try {
      await work();
    } finally {
      await holder.query(`SELECT pg_advisory_unlock($1)`, [key]);
    }
    return true;
  } finally {
    await holder.release();
  }
}
