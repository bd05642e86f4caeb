import { deliveryStateRank } from '@postrider/domain';
import type { Executor } from '../database/executor';
import type { MessageKey, PageKey } from '../partitions/message-key';
import { isPacked } from '../packs/packed-deliveries';
import { keysFrom, type LedgerDay, rowsOfDay } from '../partitions/ledger-day';
import { parameter, sql, type Sql } from '../sql';
import { placedPages } from './claim-page.statement';

/** Which pages to end: at most `limit` of these messages. */
interface PagesToEnd {
  messages: readonly MessageKey[];
  at: Date;
  limit: number;
}

/**
 * Ends waiting pages of those of `messages`, which are of one day, that were cancelled, in a transaction. The pages are
 * locked first, so that the outcomes that a former owner has recorded are visible.
 *
 * @returns the number of ended pages
 */
export async function endCancelledPages(
  executor: Executor,
  day: LedgerDay,
  { messages, at, limit }: PagesToEnd,
): Promise<number> {
  const keys = messages.map(({ appId, messageId }, place) => ({ place, app_id: appId, id: messageId }));
  const open = await rowsOfDay<PageKey>(
    executor,
    sql`SELECT p.app_id AS "appId", p.message_id AS "messageId", p.id AS "pageId"
        FROM ${keysFrom(keys, sql`app_id text, id uuid`)} AS due
        JOIN ${day.messages} m ON m.app_id = due.app_id AND m.id = due.id AND m.status = 'cancelled'
        JOIN ${day.pages} p ON p.app_id = due.app_id AND p.message_id = due.id AND p.state <> 'finished'
        WHERE p.state = 'waiting'
        LIMIT ${limit} FOR NO KEY UPDATE OF p SKIP LOCKED`,
  );
  if (open.length > 0) await rowsOfDay(executor, endStatement(day, open, at));
  return open.length;
}

function endStatement(day: LedgerDay, open: readonly PageKey[], at: Date): Sql {
  const now = parameter(at, 'timestamptz');
  const delivery = { app: sql`ended.app_id`, message: sql`ended.message_id`, device: sql`device.id` };
  return sql`
  WITH ended AS (
    UPDATE ${day.pages} p SET state = 'finished', wake_at = NULL, leased_by = NULL, finished_at = ${now}
    FROM ${placedPages(open.map((page, place) => ({ ...page, place })))} AS open
    WHERE p.app_id = open.app_id AND p.message_id = open.message_id AND p.id = open.id
    RETURNING p.app_id, p.message_id, p.vendor, p.attempt, p.fence, p.device_ids
  )
  INSERT INTO ${day.deliveries} AS d (app_id, message_id, device_id, state, rank, vendor, reason, attempt, created_at, updated_at)
  SELECT ended.app_id, ended.message_id, device.id, 'cancelled', ${deliveryStateRank('cancelled')}::smallint, ended.vendor,
    'The message was cancelled before it was sent to this device', ended.attempt - 1, ${now}, ${now}
  FROM ended CROSS JOIN LATERAL unnest(ended.device_ids) AS device (id)
  WHERE ended.fence = 0 OR NOT ${isPacked(delivery, day)}
  ON CONFLICT (app_id, message_id, device_id) DO UPDATE
  SET state = excluded.state, rank = excluded.rank, vendor = excluded.vendor, reason = excluded.reason,
    updated_at = excluded.updated_at
  WHERE excluded.rank > d.rank`;
}
