import { deliveryStateRank } from '@postrider/domain';
import type { LedgerDay } from '../partitions/ledger-day';
import { joined, literal, sql, type Sql } from '../sql';
import { SPAN_LEVELS, spansOf } from './span';

/** One delivery, as parts of a statement. */
interface DeliveryTerms {
  app: Sql;
  message: Sql;
  /** A bigint. */
  device: Sql;
}

/** Packs of one message that may hold devices from `first` to `last`, as parts of a statement. */
interface PackStretch {
  packs: Omit<DeliveryTerms, 'device'>;
  first: Sql;
  last: Sql;
}

/** The numbers of packed devices in and near a range of devices, as a SELECT of `id`. */
export function packedIdsBetween({ packs: { app, message }, first, last }: PackStretch): Sql {
  const spans = SPAN_LEVELS.map(
    ({ bits, first: base }) =>
      sql`(${literal(base)} + (${first} >> ${literal(bits)}), ${literal(base)} + (${last} >> ${literal(bits)}))`,
  );
  return sql`
    SELECT unnest(k.device_ids) AS id FROM (VALUES ${joined(spans, ', ')}) AS span (low, high)
    JOIN delivery_packs k ON k.app_id = ${app} AND k.message_id = ${message} AND k.span BETWEEN span.low AND span.high`;
}

/** A delivery in the pack `k`, as the columns of `deliveries` from `state` on. */
const PACKED_RECORD = sql`'sent'::text AS state, ${literal(deliveryStateRank('sent'))}::smallint AS rank, k.vendor,
      NULL::text AS vendor_message_id, NULL::text AS error_code, NULL::text AS reason, 1::smallint AS attempt,
      NULL::text AS promo_code, k.language, k.created_at, NULL::timestamptz AS sent_at, NULL::timestamptz AS delivered_at,
      NULL::timestamptz AS shown_at, NULL::timestamptz AS opened_at, NULL::timestamptz AS dismissed_at,
      k.created_at AS updated_at, true AS is_packed`;

/** A condition: the pack `k` holds a device. An index knows the first and the last device of a pack. */
export function holds(device: Sql): Sql {
  return sql`k.device_ids[1] <= ${device} AND k.device_ids[cardinality(k.device_ids)] >= ${device} AND ${device} = ANY (k.device_ids)`;
}

const EVERY_DAY = sql`delivery_packs`;

/**
 * Returns FROM and WHERE of the pack `k` that holds a delivery: none or one row, whether or not the delivery also has
 * a row of its own.
 */
export function packOf({ app, message, device }: DeliveryTerms, packs = EVERY_DAY): Sql {
  return sql`FROM ${packs} k WHERE k.app_id = ${app} AND k.message_id = ${message} AND k.span = ANY (${spansOf(device)})
    AND ${holds(device)}`;
}

/** A condition: a pack holds the delivery. A scalar subquery, so that no statistics can turn the lookup into a scan. */
export function isPacked(delivery: DeliveryTerms, day?: LedgerDay): Sql {
  return sql`(SELECT true ${packOf(delivery, day?.packs)} LIMIT 1) IS NOT NULL`;
}

/**
 * The delivery of one message to one device, from its row or else from its pack: a SELECT of no or one row with the
 * columns of `deliveries` from `state` on. `findPackedDetails` has the time of a delivery with `is_packed`.
 */
export function deliveryOf(delivery: DeliveryTerms): Sql {
  const { app, message, device } = delivery;
  return sql`
    SELECT d.state, d.rank, d.vendor, d.vendor_message_id, d.error_code, d.reason, d.attempt, d.promo_code, d.language, d.created_at, d.sent_at,
      d.delivered_at, d.shown_at, d.opened_at, d.dismissed_at, d.updated_at, d.is_packed
    FROM deliveries d WHERE d.app_id = ${app} AND d.message_id = ${message} AND d.device_id = ${device}
    UNION ALL
    SELECT ${PACKED_RECORD} ${packOf(delivery)} AND NOT EXISTS (
      SELECT FROM deliveries r WHERE r.app_id = ${app} AND r.message_id = ${message} AND r.device_id = ${device}
    )`;
}

/** Which of a device's packed deliveries to read. */
interface PackedStretch {
  /** A condition on the pack `k`. */
  where: Sql;
  limit: Sql;
}

/**
 * The packed deliveries of one device that have no row of their own, as a SELECT of `message_id`, `vendor`, `language`
 * and `created_at`: for each span length the newest, at most `limit`. Left out: all.
 */
export function packedDeliveriesOf({ app, device }: Omit<DeliveryTerms, 'message'>, stretch?: PackedStretch): Sql {
  const newest = stretch && sql`AND ${stretch.where} ORDER BY k.message_id DESC LIMIT ${stretch.limit}`;
  return sql`
    SELECT k.message_id, k.vendor, k.language, k.created_at
    FROM unnest(${spansOf(device)}) AS spans (span) CROSS JOIN LATERAL (
      SELECT k.message_id, k.vendor, k.language, k.created_at FROM delivery_packs k
      WHERE k.app_id = ${app} AND k.span = spans.span AND ${holds(device)} AND NOT EXISTS (
        SELECT FROM deliveries r WHERE r.app_id = ${app} AND r.message_id = k.message_id AND r.device_id = ${device}
      ) ${newest ?? sql``}
    ) k`;
}
