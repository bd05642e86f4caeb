import { Inject, Injectable } from '@nestjs/common';
import { deleteOldRows } from '../database/delete-old-rows';
import { type Database, DATABASE, type Executor, rows } from '../database/executor';
import { isProvedIn } from '../devices/user-proof';
import { type Parameter, parameter, sql, type Sql } from '../sql';

/** A device whose vendor token was switched off. */
interface RemovedToken {
  installationId: string;
  deviceType: string | null;
  /** Its owner at that time. */
  userId: string;
  /** When the vendor called it dead. */
  deadAt: Date;
}

/** A span of time, both ends inclusive. `isChurn`: only users who have no other reachable device now. */
interface RemovedTokenFilter {
  from: Date;
  to: Date;
  isChurn: boolean;
}

/** Vendor tokens that were switched off. `DeadTokensRepository` records them in the same statement. */
@Injectable()
export class RemovedTokensRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** Counts them, and lists them from `offset` on, oldest first. */
  async list(
    executor: Executor,
    appId: string,
    filter: RemovedTokenFilter,
    { offset, limit }: { offset: number; limit: number },
  ): Promise<{ count: number; tokens: RemovedToken[] }> {
    const app = parameter(appId);
    const which = isWithin(app, filter);
    const [counted] = await rows<{ count: number }>(
      executor,
      sql`SELECT count(*)::float8 AS count FROM removed_tokens r WHERE ${which}`,
    );
    const tokens = await rows<RemovedToken>(
      executor,
      sql`SELECT r.installation_id AS "installationId", r.device_type AS "deviceType", r.user_id AS "userId",
            r.dead_at AS "deadAt"
          FROM removed_tokens r WHERE ${which} ORDER BY r.dead_at, r.id OFFSET ${offset} LIMIT ${limit}`,
    );
    return { count: counted?.count ?? 0, tokens };
  }

  /** Lists those of one user, oldest first, at most `limit` behind `afterId`. */
  async listOfUser(
    appId: string,
    userId: string,
    { afterId, limit }: { afterId: string; limit: number },
  ): Promise<(RemovedToken & { id: string })[]> {
    return rows<RemovedToken & { id: string }>(
      this.database,
      sql`SELECT id, installation_id AS "installationId", device_type AS "deviceType", user_id AS "userId", dead_at AS "deadAt"
          FROM removed_tokens WHERE app_id = ${appId} AND user_id = ${userId} AND id > ${afterId}::bigint
          ORDER BY id LIMIT ${limit}`,
    );
  }

  /** Deletes up to `limit` of those that were called dead before `before`. @returns the number of deleted rows */
  deleteOld(before: Date, limit: number): Promise<number> {
    const table = { table: sql`removed_tokens`, key: sql`app_id, id`, at: sql`dead_at` };
    return deleteOldRows(this.database, table, before, limit);
  }
}

/** A condition on `removed_tokens r`. */
function isWithin(app: Parameter, { from, to, isChurn }: RemovedTokenFilter): Sql {
  const inTime = sql`r.app_id = ${app} AND r.dead_at >= ${from} AND r.dead_at < ${endOf(to)}`;
  if (!isChurn) return inTime;
  return sql`${inTime} AND NOT EXISTS (
    SELECT FROM installations i
    WHERE i.app_id = ${app} AND i.user_id = r.user_id AND i.id <> r.device_id AND ${isProvedIn(app)}
      AND (i.uses_connection OR i.usable_vendor = ANY (ARRAY(
        SELECT v.vendor FROM vendor_credentials v WHERE v.app_id = ${app}
      )))
  )`;
}

/** A caller's times are in milliseconds, PostgreSQL's are finer: the whole last millisecond belongs to the span. */
function endOf(to: Date): Date {
  return new Date(to.getTime() + 1);
}
