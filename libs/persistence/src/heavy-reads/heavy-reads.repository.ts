import { type Database, DATABASE, type Executor, rows } from '../database/executor';
import { Inject, Injectable } from '@nestjs/common';
import { heavyReadLock } from '../database/lock-ids';
import { parameter, sql } from '../sql';

/** Nest injection token of the process's `HeavyDatabase`. */
export const HEAVY_DATABASE = Symbol('HeavyDatabase');

/** A connection pool of its own for reads of many devices, so that no other request waits for a connection. */
export interface HeavyDatabase {
  pool: Database;
  /** The number of connections. */
  size: number;
}

/** A heavy read that has begun. */
export interface HeavyRead {
  /** The process of its connection in PostgreSQL. */
  backend: number;
}

/** Reads of many devices: at most two of an application at a time, each with a time limit. */
@Injectable()
export class HeavyReadsRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * Begins a heavy read in the caller's transaction, which must contain nothing else: takes one of the application's
   * two places among all gateways, and makes PostgreSQL end every statement that takes longer than `limitMs` (SQLSTATE
   * 57014). The places are advisory locks that end with the transaction, so a gateway that dies keeps none.
   *
   * @returns null if both places are taken
   */
  async begin(executor: Executor, appId: string, limitMs: number): Promise<HeavyRead | null> {
    const app = parameter(appId);
    const [begun] = await rows<{ isMine: boolean; backend: number }>(
      executor,
      sql`SELECT CASE WHEN pg_try_advisory_xact_lock(${heavyReadLock({ app, place: 1 })}) THEN true
            ELSE pg_try_advisory_xact_lock(${heavyReadLock({ app, place: 2 })}) END AS "isMine",
            pg_backend_pid() AS backend, set_config('statement_timeout', ${String(limitMs)}, true)`,
    );
    return begun?.isMine ? { backend: begun.backend } : null;
  }

  /**
   * Ends the statement that a heavy read is running, if there is one. Uses a connection of its own. The read must not
   * have released its connection yet.
   */
  async cancel({ backend }: HeavyRead): Promise<void> {
    await rows(this.database, sql`SELECT pg_cancel_backend(${backend})`);
  }
}
