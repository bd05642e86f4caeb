import type { DeliveryState } from '@postrider/domain';

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

/**
 * The columns of `RecordedDeliveries` as parameters, in the order that `recordDeliveries` counts on. The promo codes are a
 * parameter apart.
 */
export function deliveryColumns(recorded: RecordedDeliveries): unknown[] {
  const { deviceIds, states, ranks, vendorMessageIds, errorCodes, reasons, times } = recorded;
  return [deviceIds, states, ranks, vendorMessageIds, errorCodes, reasons, times];
}

/**
 * Inserts outcomes as a common table expression needs it: `$1` application, `$2` message, `$5` now, `$6` to `$12` the columns,
 * and a one-row (or no-row) table `held` with `vendor` and `attempt`. A row that is further along stays as it is.
 *
 * @param promoCodes the parameter with the promo codes, which may be null
 * @param inboxes the parameter with the devices that keep the message for their connection as well, which may be null
 */
export const recordDeliveries = (promoCodes: `$${number}`, inboxes: `$${number}`): string => `
  INSERT INTO deliveries AS d (app_id, message_id, device_id, state, rank, vendor, vendor_message_id, error_code, reason,
    attempt, promo_code, in_inbox, created_at, sent_at, updated_at)
  SELECT $1, $2, r.device_id, r.state, r.rank, held.vendor, r.vendor_message_id, r.error_code, r.reason,
    held.attempt, r.promo_code,
    CASE WHEN r.state IN ('pending', 'sent', 'failed') AND r.device_id = ANY (${inboxes}::bigint[]) THEN true END, $5, CASE WHEN r.state = 'sent' THEN to_timestamp(r.at / 1000) END, $5
  FROM unnest($6::bigint[], $7::text[], $8::smallint[], $9::text[], $10::text[], $11::text[], $12::float8[],
      ${promoCodes}::text[])
    AS r (device_id, state, rank, vendor_message_id, error_code, reason, at, promo_code)
  CROSS JOIN held
  ON CONFLICT (app_id, message_id, device_id) DO UPDATE
  SET state = excluded.state, rank = excluded.rank, vendor = excluded.vendor,
    vendor_message_id = excluded.vendor_message_id, error_code = excluded.error_code, reason = excluded.reason,
    attempt = excluded.attempt, promo_code = coalesce(excluded.promo_code, d.promo_code),
    in_inbox = coalesce(excluded.in_inbox, d.in_inbox), edge_id = NULL, sent_at = coalesce(d.sent_at, excluded.sent_at), updated_at = excluded.updated_at
  WHERE excluded.rank > d.rank`;
