import { type Sql, sql } from '../sql';
import { type Executor, rows } from './executor';

/** A table whose rows are deleted some time after `at`. */
interface AgingTable {
  table: Sql;
  /** The columns of its primary key. */
  key: Sql;
  /** The column that says how old a row is. */
  at: Sql;
}

/**
 * Deletes up to `limit` rows from before `before`, the oldest first.
 * @returns the number of deleted rows; fewer than `limit` means that none is left
 */
export async function deleteOldRows(
  executor: Executor,
  { table, key, at }: AgingTable,
  before: Date,
  limit: number,
): Promise<number> {
  const gone = await rows(
    executor,
    sql`DELETE FROM ${table} WHERE (${key}) IN (
          SELECT ${key} FROM ${table} WHERE ${at} < ${before} ORDER BY ${at} LIMIT ${limit}
        )
        RETURNING 1`,
  );
  return gone.length;
}
