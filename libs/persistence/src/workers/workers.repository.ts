import { Inject, Injectable } from '@nestjs/common';
import { type Database, DATABASE, type Executor, inTransaction, rows } from '../database/executor';
import { preparedRows } from '../database/prepared-rows';
import { workerLock } from '../database/lock-ids';
import { parameter, sql } from '../sql';

/** True if PostgreSQL was restarted so recently that living workers may not have taken their locks again. */
const SERVER_IS_NEW = sql`pg_postmaster_start_time() > now() - interval '10 seconds'`;
/** The longest time from the renewal of a lease to its end, with room for different clocks. */
const LONGEST_LEASE = sql`interval '1 minute'`;

/**
 * The running delivery workers. A worker holds a lock of PostgreSQL for as long as it lives. The lock ends with the
 * connection, which the operating system closes when the process dies. So others notice a death at once, and do not
 * take a slow worker for dead.
 */
@Injectable()
export class WorkersRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** Writes the row of a worker that holds its lock. */
  async register(workerId: string): Promise<void> {
    await rows(
      this.database,
      sql`INSERT INTO delivery_workers (worker_id) VALUES (${workerId}) ON CONFLICT (worker_id) DO NOTHING`,
    );
  }

  /**
   * Takes a worker's own lock until the transaction of `executor` ends. The worker may hold it in several transactions.
   *
   * @returns false if it is taken: by a worker that checks if this one is alive
   */
  async tryHold(executor: Executor, workerId: string): Promise<boolean> {
    const [answer] = await rows<{ isHeld: boolean }>(
      executor,
      sql`SELECT pg_try_advisory_xact_lock_shared(${workerLock({ workerId })}) AS "isHeld"`,
    );
    return answer?.isHeld === true;
  }

  /** Finds the workers that have a row and hold no lock at this moment: they died, or lost their connection. */
  async findUnheld(): Promise<string[]> {
    const found = await preparedRows<{ workerId: string }>(
      this.database,
      sql`SELECT w.worker_id AS "workerId" FROM (SELECT worker_id FROM delivery_workers WHERE NOT ${SERVER_IS_NEW} OFFSET 0) w
          WHERE pg_try_advisory_xact_lock(${workerLock({ workerId: sql`w.worker_id` })})`,
    );
    return found.map(({ workerId }) => workerId);
  }

  /**
   * Ends the leases of a worker that holds no lock, and deletes its row. From then on its pages can be claimed, as
   * after the end of their leases. Each claim raises the fence, so if the worker is alive after all, its later writes
   * are refused.
   *
   * @returns the number of ended leases; null if the worker holds its lock again, or another worker has just done this
   */
  async declareDead(workerId: string, at: Date): Promise<number | null> {
    return inTransaction(this.database, async (executor) => {
      const isFree = sql`pg_try_advisory_xact_lock(${workerLock({ workerId })})`;
      const [lock] = await rows<{ isFree: boolean }>(executor, sql`SELECT ${isFree} AS "isFree"`);
      if (lock?.isFree !== true) return null;
      const gone = await rows(
        executor,
        sql`DELETE FROM delivery_workers WHERE worker_id = ${workerId} RETURNING worker_id`,
      );
      if (gone.length === 0) return null;
      const now = parameter(at, 'timestamptz');
      // Uses the index on `wake_at`, which leaves out finished pages.
      const isLeased = sql`wake_at > ${now} AND wake_at <= ${now} + ${LONGEST_LEASE} AND state = 'running' AND leased_by = ${workerId}`;
      // In their order (`inLockOrder`): the worker may be alive after all, and renew its leases.
      await rows(executor, sql`SELECT FROM pages WHERE ${isLeased} ORDER BY message_id, id FOR NO KEY UPDATE`);
      const ended = await rows(executor, sql`UPDATE pages SET wake_at = ${now} WHERE ${isLeased} RETURNING id`);
      return ended.length;
    });
  }

  /** Deletes the row of a worker that shuts down properly. */
  async remove(workerId: string): Promise<void> {
    await rows(this.database, sql`DELETE FROM delivery_workers WHERE worker_id = ${workerId}`);
  }
}
