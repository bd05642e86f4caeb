import { sql, parameter } from '../sql';
import { Inject, Injectable } from '@nestjs/common';
import type { JsonObject } from '@postrider/domain';
import { DATABASE, type Database, type Executor, rows } from '../database/executor';
import { idempotencyLock } from '../database/lock-ids';
import { erasedKeyOf } from './erased-key';

/** A request that was carried out under a key. */
interface KeptAnswer {
  requestHash: Buffer;
  answer: JsonObject;
}

/** Idempotency keys of requests, with the answers that were given under them. */
@Injectable()
export class IdempotencyRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * Takes the key for the rest of the transaction, without waiting. The lock ends with the transaction, however that
   * ends: a gateway that dies leaves nothing behind that would block a retry.
   *
   * @returns false if another request holds it now
   */
  async tryLock(executor: Executor, appId: string, key: string): Promise<boolean> {
    const [row] = await rows<{ locked: boolean }>(
      executor,
      sql`SELECT pg_try_advisory_xact_lock(${idempotencyLock({ app: appId, key })}) AS locked`,
    );
    return row?.locked === true;
  }

  /** Finds the answer that was kept under the key since `since`, or null. */
  async find(executor: Executor, appId: string, key: string, since: Date): Promise<KeptAnswer | null> {
    const app = parameter(appId);
    const sentKey = parameter(key);
    const [row] = await rows<KeptAnswer>(
      executor,
      sql`SELECT request_hash AS "requestHash", answer FROM idempotency_keys
           WHERE app_id = ${app} AND key IN (${sentKey}, ${erasedKeyOf({ app: sql`${app}::text`, key: sql`${sentKey}::text` })})
             AND created_at > ${since} AND answer IS NOT NULL`,
    );
    return row ?? null;
  }

  /** Keeps the answer under the key. It replaces an answer that is older than the time for which answers are kept. */
  async keep(executor: Executor, appId: string, key: string, kept: KeptAnswer & { at: Date }): Promise<void> {
    const moment = parameter(kept.at);
    await rows(
      executor,
      sql`INSERT INTO idempotency_keys (app_id, key, request_hash, answer, locked_at, created_at)
          VALUES (${appId}, ${key}, ${kept.requestHash}, ${JSON.stringify(kept.answer)}, ${moment}, ${moment})
          ON CONFLICT (app_id, key) DO UPDATE
            SET request_hash = excluded.request_hash, answer = excluded.answer, locked_at = excluded.locked_at,
                created_at = excluded.created_at`,
    );
  }

  /**
   * Deletes idempotency keys that were taken before `before`, at most `limit`.
   *
   * @returns how many were deleted
   */
  async deleteOld(before: Date, limit: number): Promise<number> {
    const deleted = await rows(
      this.database,
      sql`DELETE FROM idempotency_keys
          WHERE (app_id, key) IN (
            SELECT app_id, key FROM idempotency_keys WHERE created_at < ${before} ORDER BY created_at
              LIMIT ${limit} FOR UPDATE SKIP LOCKED
          )
          RETURNING 1`,
    );
    return deleted.length;
  }
}
