import { deliveryColumns, recordDeliveries, type RecordedDeliveries } from '../deliveries/recorded-deliveries';
import type { Executor } from '../database/executor';
import { preparedRows } from '../database/prepared-rows';
import type { HeldPage } from './flush-page.query';

/** Devices of a page that are tried again later, as a page of their own. */
export interface RetryPage {
  id: string;
  deviceIds: number[];
  isUnanswered: boolean;
  notBefore: Date;
}

/** The part of a page that was not worked and waits again, with its attempt unchanged. */
export interface Remainder {
  deviceIds: number[];
  /** Null: at once. */
  notBefore: Date | null;
  /** Whether the wait counts as no attempt at all: the route was held. */
  forgetsFirstAttempt: boolean;
}

/** How a page ends: its last outcomes, what is tried again, and what is given back. */
export interface Settlement {
  recorded: RecordedDeliveries;
  retries: RetryPage[];
  remainder: Remainder | null;
  now: Date;
  /** When its message's last call is: pages that wait are looked at then at the latest. */
  lastCallAt: Date;
}

/**
 * Ends a caller's work on a page: records the last outcomes, writes the retry pages, and finishes the page or makes its
 * remainder wait. All or nothing.
 *
 * @returns false when the page is no longer the caller's; nothing was written then
 */
export async function settlePage(executor: Executor, page: HeldPage, settlement: Settlement): Promise<boolean> {
  const { recorded, retries, remainder, now, lastCallAt } = settlement;
  const answer = await preparedRows(executor, SETTLE_PAGE, [
    page.appId,
    page.messageId,
    page.pageId,
    page.fence,
    now,
    ...deliveryColumns(recorded),
    remainder?.deviceIds ?? null,
    remainder?.notBefore ?? null,
    remainder?.forgetsFirstAttempt ?? false,
    lastCallAt,
    JSON.stringify(retries),
    recorded.promoCodes ?? null,
    page.inboxDeviceIds ?? null,
  ]);
  return answer.length > 0;
}

/** Pages hold their devices in order: whoever lists a message's devices looks at the ends of each page first. */
const SETTLE_PAGE = `
  WITH held AS (
    UPDATE pages p
    SET state = CASE WHEN $13::bigint[] IS NULL THEN 'finished' ELSE 'waiting' END,
      device_ids = CASE WHEN $13 IS NULL THEN p.device_ids ELSE ARRAY(SELECT unnest($13::bigint[]) ORDER BY 1) END,
      not_before = $14::timestamptz,
      wake_at = CASE WHEN $13 IS NOT NULL THEN least(coalesce($14, $5), $16::timestamptz) END,
      first_attempt_at = CASE WHEN $15 THEN NULL ELSE p.first_attempt_at END,
      leased_by = NULL,
      finished_at = CASE WHEN $13 IS NULL THEN $5::timestamptz END
    WHERE app_id = $1 AND message_id = $2 AND id = $3 AND fence = $4 AND leased_by IS NOT NULL
    RETURNING p.vendor, p.lane, p.attempt, p.first_attempt_at, p.is_steered, p.starts_at, p.expires_at
  ), recorded AS (${recordDeliveries('$18', '$19')}
  ), retried AS (
    INSERT INTO pages (app_id, message_id, id, vendor, lane, device_ids, attempt, first_attempt_at, is_unanswered,
      not_before, wake_at, created_at, is_steered, starts_at, expires_at)
    SELECT $1, $2, r.id, held.vendor, held.lane, ARRAY(SELECT unnest(r."deviceIds") ORDER BY 1), held.attempt + 1,
      held.first_attempt_at, r."isUnanswered", r."notBefore", least(r."notBefore", $16), $5, held.is_steered, held.starts_at, held.expires_at
    FROM jsonb_to_recordset($17::jsonb)
      AS r (id uuid, "deviceIds" bigint[], "isUnanswered" boolean, "notBefore" timestamptz)
    CROSS JOIN held
  )
  SELECT 1 FROM held`;
