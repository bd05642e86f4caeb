import type { DeliveryState } from '@postrider/domain';
import { type Parameter, sql, type Sql } from '../sql';

/** Outcomes to record, a column each: PostgreSQL takes them as arrays. All arrays have the same length. */
export interface RecordedDeliveries {
  deviceIds: number[];
  states: DeliveryState[];
  ranks: number[];
  vendorMessageIds: (string | null)[];
  errorCodes: (string | null)[];
  reasons: (string | null)[];
  /** When each came about, in milliseconds since 1970; of a `sent` one, when it was sent. */
  times: number[];
  /** The promo code that each was sent with; left out when no delivery has one. */
  promoCodes?: (string | null)[];
}

/** What `recordDeliveries` needs of the statement around it. */
export interface DeliveriesToRecord {
  appId: Parameter;
  messageId: Parameter;
  now: Parameter;
  /** One row with `vendor` and `attempt` of the page whose outcomes these are, or none: then nothing is recorded. */
  page: Sql;
  outcomes: RecordedDeliveries;
  /** Devices that keep the message for their own connection as well. Undefined: none. */
  inboxDeviceIds: readonly number[] | undefined;
}

/** An INSERT of outcomes. A delivery that is further along stays as it is. */
export function recordDeliveries({ appId, messageId, now, page, outcomes, inboxDeviceIds }: DeliveriesToRecord): Sql {
  const { deviceIds, states, ranks, vendorMessageIds, errorCodes, reasons, times, promoCodes } = outcomes;
  return sql`
  INSERT INTO deliveries AS d (app_id, message_id, device_id, state, rank, vendor, vendor_message_id, error_code, reason,
    attempt, promo_code, in_inbox, created_at, sent_at, updated_at)
  SELECT ${appId}, ${messageId}, r.device_id, r.state, r.rank, page.vendor, r.vendor_message_id, r.error_code, r.reason,
    page.attempt, r.promo_code,
    CASE WHEN r.state IN ('pending', 'sent', 'failed') AND r.device_id = ANY (${inboxDeviceIds ?? null}::bigint[]) THEN true END,
    ${now}, CASE WHEN r.state = 'sent' THEN to_timestamp(r.at / 1000) END, ${now}
  FROM unnest(${deviceIds}::bigint[], ${states}::text[], ${ranks}::smallint[], ${vendorMessageIds}::text[], ${errorCodes}::text[],
      ${reasons}::text[], ${times}::float8[], ${promoCodes ?? null}::text[])
    AS r (device_id, state, rank, vendor_message_id, error_code, reason, at, promo_code)
  CROSS JOIN ${page} AS page
  ON CONFLICT (app_id, message_id, device_id) DO UPDATE
  SET state = excluded.state, rank = excluded.rank, vendor = excluded.vendor,
    vendor_message_id = excluded.vendor_message_id, error_code = excluded.error_code, reason = excluded.reason,
    attempt = excluded.attempt, promo_code = coalesce(excluded.promo_code, d.promo_code),
    in_inbox = coalesce(excluded.in_inbox, d.in_inbox), edge_id = NULL, sent_at = coalesce(d.sent_at, excluded.sent_at), updated_at = excluded.updated_at
  WHERE excluded.rank > d.rank`;
}
