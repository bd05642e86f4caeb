import { Inject, Injectable } from '@nestjs/common';
import { type Database, DATABASE, type Executor, inTransaction, rows } from '../database/executor';
import { workerLock } from '../database/lock-ids';
import { parameter, sql } from '../sql';

/** Whether PostgreSQL was restarted so recently that workers that live may not have taken their locks again. */
const SERVER_IS_NEW = sql`pg_postmaster_start_time() > now() - interval '10 seconds'`;
/** No lease ends later than this after it was renewed; clocks of machines may differ. */
const LONGEST_LEASE = sql`interval '1 minute'`;

/**
 * The delivery workers that run. A worker holds a lock of PostgreSQL for as long as it lives. The lock ends with the connection,
 * which the operating system closes when the process dies: so others learn of it at once, and a worker that is only slow is not
 * taken for dead.
 */
@Injectable()
export class WorkersRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** Writes a worker's row. It must hold its lock right afterwards. */
  async register(workerId: string): Promise<void> {
    await rows(
      this.database,
      sql`INSERT INTO delivery_workers (worker_id) VALUES (${workerId}) ON CONFLICT (worker_id) DO NOTHING`,
    );
  }

  /**
   * Takes a worker's lock until the transaction of `executor` ends.
   *
   * @returns false when somebody has it: another worker of the same name, or one that looks whether this one lives
   */
  async tryHold(executor: Executor, workerId: string): Promise<boolean> {
    const [answer] = await rows<{ isHeld: boolean }>(
      executor,
      sql`SELECT pg_try_advisory_xact_lock(${workerLock({ workerId })}) AS "isHeld"`,
    );
    return answer?.isHeld === true;
  }

  /** The workers that have a row and hold no lock at this moment: they died, or lost their connection. */
  async findUnheld(): Promise<string[]> {
    const found = await rows<{ workerId: string }>(
      this.database,
      sql`SELECT w.worker_id AS "workerId" FROM (SELECT worker_id FROM delivery_workers WHERE NOT ${SERVER_IS_NEW} OFFSET 0) w
          WHERE pg_try_advisory_xact_lock(${workerLock({ workerId: sql`w.worker_id` })})`,
    );
    return found.map(({ workerId }) => workerId);
  }

  /**
   * Ends the leases of a worker that holds no lock, and forgets it. From then on its pages can be claimed, as after the end of
   * their leases: each claim raises the fence, and what the worker writes afterwards, should it live, is refused.
   *
   * @returns how many leases ended; null when the worker holds its lock again, or somebody else has just done this
   */
  async bury(workerId: string, at: Date): Promise<number | null> {
    return inTransaction(this.database, async (executor) => {
      if (!(await this.tryHold(executor, workerId))) return null;
      const gone = await rows(
        executor,
        sql`DELETE FROM delivery_workers WHERE worker_id = ${workerId} RETURNING worker_id`,
      );
      if (gone.length === 0) return null;
      const now = parameter(at, 'timestamptz');
      const ended = await rows(
        executor,
        // By the index on `wake_at`, which leaves out whatever is finished.
        sql`UPDATE pages SET wake_at = ${now}
            WHERE wake_at > ${now} AND wake_at <= ${now} + ${LONGEST_LEASE} AND state = 'running' AND leased_by = ${workerId}
            RETURNING id`,
      );
      return ended.length;
    });
  }

  /** Deletes the row of a worker that shuts down properly. */
  async remove(workerId: string): Promise<void> {
    await rows(this.database, sql`DELETE FROM delivery_workers WHERE worker_id = ${workerId}`);
  }
}
