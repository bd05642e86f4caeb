import { Inject, Injectable } from '@nestjs/common';
import type { QueryRunner } from 'typeorm';
import { literal, sql } from '../sql';
import { DATABASE, type Database, rows } from './executor';

/**
 * Locks that one process holds at a time, each named by a number of `LOCK_IDS`. All locks of a process belong to one
 * transaction on a connection of their own, and end with it: a process that dies holds no lock. (They are locks of a
 * transaction, not of a session: behind a pooler a session may outlive its client.)
 *
 * The transaction ends when no work runs under any of its locks. Until then the process keeps each lock that it took.
 */
@Injectable()
export class AdvisoryLocks {
  /** The locks under which work runs or is about to run. */
  readonly #busy = new Set<number>();
  #session: QueryRunner | undefined;
  /** The last statement on the connection, which takes one statement at a time. */
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * Runs `work` if nobody holds the lock now. `work` uses the pool, not the connection that holds the lock. If that
   * connection breaks, another process may begin before this one has ended, so `work` must be safe to run twice.
   *
   * @returns what `work` returns; null if the lock is held, by this or another process, and `work` did not run
   */
  async tryWith<T>(id: number, work: () => Promise<T>): Promise<T | null> {
    // PostgreSQL would give a transaction a second hold on a lock that it has already.
    if (this.#busy.has(id)) return null;
    this.#busy.add(id);
    try {
      return (await this.#inTurn(() => this.#lock(id))) ? await work() : null;
    } finally {
      this.#busy.delete(id);
      await this.#inTurn(() => this.#unlock());
    }
  }

  /** Releases the connection, and with it every lock that is still held. No lock can be taken afterwards. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#inTurn(() => this.#giveBack());
  }

  async #lock(id: number): Promise<boolean> {
    if (this.#isClosed) return false;
    // A connection that broke while it was idle is already released.
    if (this.#session?.isReleased) this.#session = undefined;
    const session = (this.#session ??= this.database.createQueryRunner());
    try {
      if (!session.isTransactionActive) await session.startTransaction();
      return await tryLock(session, id);
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
      // The work is done. The locks end with their connection.
      await this.#giveBack();
    }
  }

  /** The pool discards a broken connection. A sound connection must not keep its locks in the pool. */
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

/**
 * Takes a lock that ends with the transaction of the session, unless another session has it. The statement has no
 * parameter, so that a transaction that stays open keeps no snapshot (`releaseSnapshot`).
 */
export async function tryLock(session: QueryRunner, id: number): Promise<boolean> {
  const [answer] = await rows<{ isMine: boolean }>(
    session.manager,
    sql`SELECT pg_try_advisory_xact_lock(${literal(id)}) AS "isMine"`,
  );
  return answer?.isMine === true;
}
