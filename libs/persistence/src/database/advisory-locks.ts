import { Inject, Injectable } from '@nestjs/common';
import type { QueryRunner } from 'typeorm';
import { DATABASE, type Database } from './executor';
import { letGoOfSnapshot } from './let-go-of-snapshot';

/**
 * Locks that one process at a time holds, each named by a number of `LOCK_IDS`. All locks of a process belong to one transaction
 * on a connection of their own, however many it holds, and end with it: whoever dies holds none. (The lock of a transaction, not
 * of a session: behind a pooler a session may go on after its client has gone.)
 *
 * The transaction ends when nothing is done under any of its locks. Until then the process keeps each lock that it took.
 */
@Injectable()
export class AdvisoryLocks {
  /** What is done, or is about to be, under a lock. */
  readonly #busy = new Set<number>();
  #session: QueryRunner | undefined;
  /** The last statement on the connection: it takes one at a time. */
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * Runs `work` if nobody holds the lock at this moment. `work` runs on the pool, outside of the connection that holds the lock:
   * should that connection break, another process may begin before this one has ended, so `work` must be safe to run twice.
   *
   * @returns what `work` returns; null when the lock is held, here or elsewhere, and `work` did not run
   */
  async tryWith<T>(id: number, work: () => Promise<T>): Promise<T | null> {
    // PostgreSQL gives a transaction a lock that it holds once more.
    if (this.#busy.has(id)) return null;
    this.#busy.add(id);
    try {
      return (await this.#inTurn(() => this.#lock(id))) ? await work() : null;
    } finally {
      this.#busy.delete(id);
      await this.#inTurn(() => this.#unlock());
    }
  }

  /** Gives the connection back, and with it every lock that is still held. There are no locks to be had afterwards. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#inTurn(() => this.#giveBack());
  }

  async #lock(id: number): Promise<boolean> {
    if (this.#isClosed) return false;
    // A connection that broke while nobody used it is released already.
    if (this.#session?.isReleased) this.#session = undefined;
    const session = (this.#session ??= this.database.createQueryRunner());
    try {
      if (!session.isTransactionActive) await session.startTransaction();
      const [answer] = (await session.query(`SELECT pg_try_advisory_xact_lock($1) AS "isMine"`, [id])) as {
        isMine: boolean;
      }[];
      await letGoOfSnapshot(session);
      return answer?.isMine === true;
    } catch (error) {
      await this.#giveBack();
      throw error;
    }
  }

  async #unlock(): Promise<void> {
    if (this.#busy.size > 0 || !this.#session?.isTransactionActive) return;
    try {
      await this.#session.commitTransaction();
    } catch {
      // What was to be done is done; the locks end with their connection.
      await this.#giveBack();
    }
  }

  /** The pool throws a broken connection away; one that is sound must not keep its locks there. */
  async #giveBack(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    if (session === undefined || session.isReleased) return;
    if (session.isTransactionActive) await session.rollbackTransaction().catch(() => undefined);
    await session.release();
  }

  #inTurn<T>(statement: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(statement);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
