import { type DeliveryState, deliveryStateRank, type DeviceId } from '@postrider/domain';
import type { LedgerDay } from '../partitions/ledger-day';
import { identifier, joined, sql, type Sql } from '../sql';

/** Outcomes to record, one array per column, as PostgreSQL takes them. All arrays have the same length. */
export interface RecordedDeliveries {
  deviceIds: DeviceId[];
  states: DeliveryState[];
  vendorMessageIds: (string | null)[];
  errorCodes: (string | null)[];
  reasons: (string | null)[];
  /** The time of each outcome, in milliseconds since 1970; for `sent`, when it was sent. */
  times: number[];
  /** The promo code that each was sent with; left out when no delivery has one. */
  promoCodes?: (string | null)[];
  /** The language that each was sent in, null for the default. Left out if the message has no languages. */
  languages?: (string | null)[];
}

/** Returns the outcomes of no device. */
export function noOutcomes(): RecordedDeliveries {
  return { deviceIds: [], states: [], vendorMessageIds: [], errorCodes: [], reasons: [], times: [] };
}

/** Outcomes of several pages. `places` has the page of each outcome. */
interface OutcomesOfPages extends RecordedDeliveries {
  places: number[];
}

/** What `recordDeliveries` needs from the statement around it. */
interface DeliveriesToRecord {
  /** The day of the messages. */
  day: LedgerDay;
  /**
   * Rows with `app_id`, `message_id`, `vendor`, `attempt`, `at` (now), `connection_device_ids` (devices that keep the
   * message for their own connection as well) and `place` of the pages that these outcomes belong to. Outcomes of other
   * pages are not recorded.
   */
  page: Sql;
  outcomes: OutcomesOfPages;
}

/** Joins the outcomes of pages. Those of the first page have place 0. */
export function joinedOutcomes(ofPages: readonly RecordedDeliveries[]): OutcomesOfPages {
  const [first] = ofPages;
  // Outcomes of a single page need no copy.
  if (ofPages.length === 1 && first) return { ...first, places: first.deviceIds.map(() => 0) };
  const withCodes = ofPages.some(({ promoCodes }) => promoCodes !== undefined);
  const withLanguages = ofPages.some(({ languages }) => languages !== undefined);
  return {
    places: ofPages.flatMap(({ deviceIds }, place) => deviceIds.map(() => place)),
    deviceIds: ofPages.flatMap(({ deviceIds }) => deviceIds),
    states: ofPages.flatMap(({ states }) => states),
    vendorMessageIds: ofPages.flatMap(({ vendorMessageIds }) => vendorMessageIds),
    errorCodes: ofPages.flatMap(({ errorCodes }) => errorCodes),
    reasons: ofPages.flatMap(({ reasons }) => reasons),
    times: ofPages.flatMap(({ times }) => times),
    ...(withCodes
      ? { promoCodes: ofPages.flatMap(({ deviceIds, promoCodes }) => promoCodes ?? deviceIds.map(() => null)) }
      : {}),
    ...(withLanguages
      ? { languages: ofPages.flatMap(({ deviceIds, languages }) => languages ?? deviceIds.map(() => null)) }
      : {}),
  };
}

/**
 * An INSERT of outcomes. A delivery with a higher rank keeps its state. If a receipt overtook the record of the sending,
 * the delivery learns how it was sent.
 */
export function recordDeliveries({ day, page, outcomes }: DeliveriesToRecord): Sql {
  const { places, deviceIds, states, vendorMessageIds, errorCodes, reasons, times, promoCodes, languages } = outcomes;
  const ranks = states.map((state) => deliveryStateRank(state));
  return sql`
  INSERT INTO ${day.deliveries} AS d (app_id, message_id, device_id, state, rank, vendor, vendor_message_id, error_code, reason,
    attempt, promo_code, language, in_inbox, created_at, sent_at, updated_at)
  SELECT page.app_id, page.message_id, r.device_id, r.state, r.rank, page.vendor, r.vendor_message_id, r.error_code, r.reason,
    page.attempt, r.promo_code, r.language,
    CASE WHEN r.state IN ('pending', 'sent', 'failed') AND r.device_id = ANY (page.connection_device_ids) THEN true END,
    page.at, CASE WHEN r.state = 'sent' THEN to_timestamp(r.at / 1000) END, page.at
  FROM unnest(${places}::integer[], ${deviceIds}::bigint[], ${states}::text[], ${ranks}::smallint[], ${vendorMessageIds}::text[],
      ${errorCodes}::text[], ${reasons}::text[], ${times}::float8[], ${promoCodes ?? null}::text[],
      ${languages ?? null}::text[])
    AS r (place, device_id, state, rank, vendor_message_id, error_code, reason, at, promo_code, language)
  JOIN ${page} AS page ON page.place = r.place
  ${MOVE_ON}`;
}

/** The columns that a later outcome overwrites, and their values. */
const LATER: readonly (readonly [column: string, value: Sql])[] = [
  ...['state', 'rank', 'vendor', 'vendor_message_id', 'error_code', 'reason', 'attempt'].map(
    (column) => [column, sql`excluded.${identifier(column)}`] as const,
  ),
  ['promo_code', sql`coalesce(excluded.promo_code, d.promo_code)`],
  ['language', sql`excluded.language`],
  ['in_inbox', sql`coalesce(excluded.in_inbox, d.in_inbox)`],
  ['edge_id', sql`NULL`],
  ['sent_at', sql`coalesce(d.sent_at, excluded.sent_at)`],
  ['updated_at', sql`excluded.updated_at`],
];

/** The columns that say how a message was sent. A receipt does not know them. */
const OF_SENDING: ReadonlySet<string> = new Set(['vendor_message_id', 'attempt', 'promo_code', 'sent_at']);

/** A condition: a receipt overtook the record of this sending. */
const IS_OVERTAKEN = sql`(d.sent_at IS NULL AND excluded.sent_at IS NOT NULL AND d.vendor = excluded.vendor)`;
/** A condition: the outcome knows the language of the message, and the row does not. */
const NAMES_LANGUAGE = sql`(d.language IS NULL AND excluded.language IS NOT NULL)`;

/** A row with a higher rank keeps its state. It gets only what it lacks: how the message was sent, and the language. */
const MOVE_ON = sql`ON CONFLICT (app_id, message_id, device_id) DO UPDATE
  SET ${joined(
    LATER.map(
      ([column, value]) =>
        sql`${identifier(column)} = CASE WHEN excluded.rank > d.rank THEN ${value}${otherwise(column, value)} END`,
    ),
    ', ',
  )}
  WHERE excluded.rank > d.rank OR ${IS_OVERTAKEN} OR ${NAMES_LANGUAGE}`;

/** The rest of a CASE: the value of a column in a row with a higher rank. */
function otherwise(column: string, value: Sql): Sql {
  const kept = sql`d.${identifier(column)}`;
  if (column === 'language') return sql` ELSE coalesce(${kept}, excluded.language)`;
  if (!OF_SENDING.has(column)) return sql` ELSE ${kept}`;
  return sql` WHEN ${IS_OVERTAKEN} THEN ${value} ELSE ${kept}`;
}
