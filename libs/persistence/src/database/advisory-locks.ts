import { Inject, Injectable } from '@nestjs/common';
import type { QueryRunner } from 'typeorm';
import { DATABASE, type Database } from './executor';

/**
 * Locks that one process at a time holds, each named by a number of `LOCK_IDS`. All locks of a process belong to one connection,
 * however many it holds, and end with it: whoever dies holds none.
 */
@Injectable()
export class AdvisoryLocks {
  readonly #held = new Set<number>();
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
    // PostgreSQL gives a connection a lock that it holds once more.
    if (this.#held.has(id)) return null;
    this.#held.add(id);
    try {
      const session = await this.#inTurn(() => this.#lock(id));
      if (session === null) return null;
      try {
        return await work();
      } finally {
        await this.#inTurn(() => this.#unlock(session, id));
      }
    } finally {
      this.#held.delete(id);
    }
  }

  /** Gives the connection back, and with it every lock that is still held. There are no locks to be had afterwards. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#inTurn(async () => {
      if (this.#session) await this.#giveBack(this.#session);
    });
  }

  async #lock(id: number): Promise<QueryRunner | null> {
    if (this.#isClosed) return null;
    // A connection that broke while nobody used it is released already.
    if (this.#session?.isReleased) this.#session = undefined;
    const session = (this.#session ??= this.database.createQueryRunner());
    try {
      const [answer] = (await session.query(`SELECT pg_try_advisory_lock($1) AS "isMine"`, [id])) as {
        isMine: boolean;
      }[];
      return answer?.isMine ? session : null;
    } catch (error) {
      await this.#giveBack(session);
      throw error;
    }
  }

  async #unlock(session: QueryRunner, id: number): Promise<void> {
    if (session !== this.#session || session.isReleased) return;
    try {
      await session.query(`SELECT pg_advisory_unlock($1)`, [id]);
    } catch {
      // What was to be done is done; the lock ends with its connection.
      await this.#giveBack(session);
    }
  }

  /** The pool throws a broken connection away; one that is sound must not keep its locks there. */
  async #giveBack(session: QueryRunner): Promise<void> {
    this.#session = undefined;
    if (session.isReleased) return;
    await session.query(`SELECT pg_advisory_unlock_all()`).catch(() => undefined);
    await session.release();
  }

  #inTurn<T>(statement: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(statement);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
