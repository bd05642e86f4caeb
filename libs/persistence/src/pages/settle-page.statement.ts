import type { DeviceId } from '@postrider/domain';
import { joinedOutcomes, recordDeliveries, type RecordedDeliveries } from '../deliveries/record-deliveries';
import type { LeasedPage } from '../partitions/message-key';
import { keysFrom, type LedgerDay } from '../partitions/ledger-day';
import { sql, type Sql } from '../sql';
import type { WhenLocked } from './claim-page.statement';

/** Devices of a page that are tried again later, on a page of their own. */
export interface RetryPage {
  id: string;
  deviceIds: DeviceId[];
  isUnanswered: boolean;
  notBefore: Date;
}

/** The part of a page that was not worked and waits again, with its attempt unchanged. */
export interface Remainder {
  deviceIds: DeviceId[];
  /** Null: at once. */
  notBefore: Date | null;
  /** True if the wait does not count as an attempt: the route was held. */
  forgetsFirstAttempt: boolean;
}

/** How a page ends: its last outcomes, its retries, and its remainder. */
export interface Settlement {
  recorded: RecordedDeliveries;
  retries: RetryPage[];
  remainder: Remainder | null;
  now: Date;
  /** When the last call for its message may be made. Waiting pages are due for recovery then at the latest. */
  lastCallAt: Date;
}

/** The end of a caller's work on a page that it owns. */
export interface PageEnding {
  page: LeasedPage;
  settlement: Settlement;
}

/** The columns that `keysFrom` has for each ending. */
const ENDING_COLUMNS = sql`app_id text, message_id uuid, id uuid, fence integer, "left" bigint[], not_before timestamptz,
  forgets_first_attempt boolean, at timestamptz, last_call timestamptz, connection_device_ids bigint[]`;

/** Options of `settlePagesStatement`. */
export interface SettleOptions {
  whenLocked: WhenLocked;
  /** True if the rows include all devices that a page had until then (`deviceIds`). Left out: false. */
  withDevices?: boolean;
}

/**
 * The statement that ends a worker's work on pages of one day. Its rows are the places of the pages that still belonged
 * to the worker. Pages hold their devices in order, because lists of a message's devices read the ends of each page
 * first. It locks the pages one by one, in the order of `endings`.
 */
export function settlePagesStatement(
  day: LedgerDay,
  endings: readonly PageEnding[],
  { whenLocked, withDevices = false }: SettleOptions,
): Sql {
  const asked = keysFrom(endings.map(recordOf), ENDING_COLUMNS);
  return sql`
  WITH asked AS MATERIALIZED (
    SELECT a.*${withDevices ? sql`, p.device_ids AS all_ids` : sql``} FROM ${asked} a CROSS JOIN LATERAL (
      SELECT ${withDevices ? sql`p.device_ids` : sql`p.id`} FROM ${day.pages} p
      WHERE p.app_id = a.app_id AND p.message_id = a.message_id AND p.id = a.id
      FOR NO KEY UPDATE ${whenLocked === 'waits' ? sql`` : sql`SKIP LOCKED`}
    ) p
  ), held AS (
    UPDATE ${day.pages} p
    SET state = CASE WHEN a.left IS NULL THEN 'finished' ELSE 'waiting' END,
      device_ids = CASE WHEN a.left IS NULL THEN p.device_ids ELSE ARRAY(SELECT unnest(a.left) ORDER BY 1) END,
      not_before = a.not_before,
      wake_at = CASE WHEN a.left IS NOT NULL THEN least(coalesce(a.not_before, a.at), a.last_call) END,
      first_attempt_at = CASE WHEN a.forgets_first_attempt THEN NULL ELSE p.first_attempt_at END,
      leased_by = NULL,
      finished_at = CASE WHEN a.left IS NULL THEN a.at END
    FROM asked a
    WHERE p.app_id = a.app_id AND p.message_id = a.message_id AND p.id = a.id AND p.fence = a.fence AND p.leased_by IS NOT NULL
    RETURNING a.place, a.app_id, a.message_id, a.at, a.last_call, a.connection_device_ids, p.vendor, p.lane, p.attempt,
      p.first_attempt_at, p.is_steered, p.starts_at, p.expires_at${withDevices ? sql`, a.all_ids` : sql``}
  )${insertOutcomes(day, endings)}${insertRetries(day, endings)}
  SELECT place${withDevices ? sql`, all_ids AS "deviceIds"` : sql``} FROM held`;
}

/**
 * Returns the INSERT of outcomes; nothing if there are none, like `insertRetries`: to prepare it takes PostgreSQL
 * time.
 */
function insertOutcomes(day: LedgerDay, endings: readonly PageEnding[]): Sql {
  const outcomes = joinedOutcomes(endings.map(({ settlement }) => settlement.recorded));
  if (outcomes.deviceIds.length === 0) return sql``;
  return sql`, recorded AS (${recordDeliveries({ day, page: sql`held`, outcomes })})`;
}

function insertRetries(day: LedgerDay, endings: readonly PageEnding[]): Sql {
  const retries = endings.flatMap(({ settlement }, place) => settlement.retries.map((retry) => ({ place, ...retry })));
  if (retries.length === 0) return sql``;
  return sql`, retried AS (
    INSERT INTO ${day.pages} (app_id, message_id, id, vendor, lane, device_ids, attempt, first_attempt_at, is_unanswered,
      not_before, wake_at, created_at, is_steered, starts_at, expires_at)
    SELECT held.app_id, held.message_id, r.id, held.vendor, held.lane, ARRAY(SELECT unnest(r."deviceIds") ORDER BY 1),
      held.attempt + 1, held.first_attempt_at, r."isUnanswered", r."notBefore", least(r."notBefore", held.last_call), held.at,
      held.is_steered, held.starts_at, held.expires_at
    FROM jsonb_to_recordset(${JSON.stringify(retries)}::jsonb)
      AS r (place integer, id uuid, "deviceIds" bigint[], "isUnanswered" boolean, "notBefore" timestamptz)
    JOIN held ON held.place = r.place
  )`;
}

/** A field without a value is left out: to read it from the JSON takes PostgreSQL as long as a value. */
function recordOf({ page, settlement }: PageEnding, place: number): object {
  const { remainder, now, lastCallAt } = settlement;
  return {
    place,
    app_id: page.appId,
    message_id: page.messageId,
    id: page.pageId,
    fence: page.fence,
    left: remainder?.deviceIds,
    not_before: remainder?.notBefore ?? undefined,
    forgets_first_attempt: remainder?.forgetsFirstAttempt,
    at: now,
    last_call: lastCallAt,
    connection_device_ids: page.connectionDeviceIds,
  };
}
