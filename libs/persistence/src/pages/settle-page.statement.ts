import { recordDeliveries, type RecordedDeliveries } from '../deliveries/record-deliveries';
import { parameter, sql, type Sql } from '../sql';
import type { HeldPage } from './page-key';

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
 * The statement that ends a worker's work on a page; no row of it: the page is no longer the worker's. Pages hold their devices
 * in order: whoever lists a message's devices looks at the ends of each page first.
 */
export function settlePageStatement(
  page: HeldPage,
  { recorded, retries, remainder, now: at, lastCallAt }: Settlement,
): Sql {
  const [appId, messageId, now] = [parameter(page.appId), parameter(page.messageId), parameter(at)];
  const [left, notBefore] = [parameter(remainder?.deviceIds ?? null), parameter(remainder?.notBefore ?? null)];
  const lastCall = parameter(lastCallAt, 'timestamptz');
  const { inboxDeviceIds } = page;
  return sql`
  WITH held AS (
    UPDATE pages p
    SET state = CASE WHEN ${left}::bigint[] IS NULL THEN 'finished' ELSE 'waiting' END,
      device_ids = CASE WHEN ${left} IS NULL THEN p.device_ids ELSE ARRAY(SELECT unnest(${left}::bigint[]) ORDER BY 1) END,
      not_before = ${notBefore}::timestamptz,
      wake_at = CASE WHEN ${left} IS NOT NULL THEN least(coalesce(${notBefore}, ${now}), ${lastCall}) END,
      first_attempt_at = CASE WHEN ${remainder?.forgetsFirstAttempt ?? false} THEN NULL ELSE p.first_attempt_at END,
      leased_by = NULL,
      finished_at = CASE WHEN ${left} IS NULL THEN ${now}::timestamptz END
    WHERE app_id = ${appId} AND message_id = ${messageId} AND id = ${page.pageId} AND fence = ${page.fence} AND leased_by IS NOT NULL
    RETURNING p.vendor, p.lane, p.attempt, p.first_attempt_at, p.is_steered, p.starts_at, p.expires_at
  ), recorded AS (${recordDeliveries({ appId, messageId, now, page: sql`held`, outcomes: recorded, inboxDeviceIds })}
  ), retried AS (
    INSERT INTO pages (app_id, message_id, id, vendor, lane, device_ids, attempt, first_attempt_at, is_unanswered,
      not_before, wake_at, created_at, is_steered, starts_at, expires_at)
    SELECT ${appId}, ${messageId}, r.id, held.vendor, held.lane, ARRAY(SELECT unnest(r."deviceIds") ORDER BY 1), held.attempt + 1,
      held.first_attempt_at, r."isUnanswered", r."notBefore", least(r."notBefore", ${lastCall}), ${now}, held.is_steered, held.starts_at, held.expires_at
    FROM jsonb_to_recordset(${JSON.stringify(retries)}::jsonb)
      AS r (id uuid, "deviceIds" bigint[], "isUnanswered" boolean, "notBefore" timestamptz)
    CROSS JOIN held
  )
  SELECT 1 FROM held`;
}
