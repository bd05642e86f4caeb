import type { Database } from '../database/executor';
import { batchRows } from '../database/statement-batch';
import { type Parameter, parameter, sql, type Sql } from '../sql';

/** How much work was due. */
export interface WokenWork {
  pages: number;
  messages: number;
}

/** Rows that may be woken, as parts of a statement. */
interface WaitingRows {
  table: Sql;
  /** The columns in whose order they are locked (`inLockOrder`). */
  order: Sql;
  /** A condition: nobody works on the row, and it is not for a later moment. */
  isWaiting: Sql;
}

/** See `PagesRepository.wakeDueWork`. Pages and messages in transactions of their own: others lock a message before its pages. */
export async function wakeDueWork(database: Database, at: Date): Promise<WokenWork> {
  const now = parameter(at);
  // Work that is due later than this has no job yet.
  const soon = sql`${now}::timestamptz + interval '10 seconds'`;
  return {
    pages: await wake(database, now, {
      table: sql`pages`,
      order: sql`message_id, id`,
      isWaiting: sql`state = 'waiting' AND vendor <> 'connection' AND (not_before IS NULL OR not_before <= ${soon})`,
    }),
    messages: await wake(database, now, {
      table: sql`messages`,
      order: sql`id`,
      isWaiting: sql`resolved_at IS NULL AND (send_at IS NULL OR send_at <= ${soon})`,
    }),
  };
}

/** @returns the number of woken rows */
async function wake(database: Database, now: Parameter, { table, order, isWaiting }: WaitingRows): Promise<number> {
  const isPutOff = sql`wake_at > ${now} AND wake_at <= ${now}::timestamptz + interval '1 minute' AND ${isWaiting}`;
  const [, woken] = await batchRows(database, [
    sql`SELECT count(*) FROM (SELECT FROM ${table} WHERE ${isPutOff} ORDER BY ${order} FOR NO KEY UPDATE) locked`,
    sql`WITH woken AS (UPDATE ${table} SET wake_at = ${now} WHERE ${isPutOff} RETURNING 1)
        SELECT count(*)::integer AS count FROM woken`,
  ]);
  return (woken?.[0]?.count as number | undefined) ?? 0;
}
