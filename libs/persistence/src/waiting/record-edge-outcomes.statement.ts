import { type DeviceId, type DeliveryState, deliveryStateRank } from '@postrider/domain';
import { type LedgerDay, onceADay } from '../partitions/ledger-day';
import { type Parameter, sql, type Sql, template } from '../sql';
import { countedPlatform } from '../statistics/message-count-key';
import type { DevicesOfMessage } from '../webhooks/failed-events';

/** A page that an edge holds, and outcomes of devices on it, each device at most once. */
export interface EdgeOutcomes {
  appId: string;
  messageId: string;
  pageId: string;
  deviceIds: DeviceId[];
  /** The time of each, in milliseconds since 1970. */
  times: number[];
  /** The language that each was published in, null for the default. Left out if the message has no languages. */
  languages?: (string | null)[];
  /** True if with these every device of the page has an outcome: then the page is deleted. */
  isComplete: boolean;
}

/** The common end of these deliveries. */
export interface EdgeEnd {
  state: Extract<DeliveryState, 'delivered' | 'sent' | 'failed' | 'skipped'>;
  errorCode: string | null;
  reason: string | null;
}

/** A device of a page that had its row already, or whose page is gone. */
export interface NotOnEdge {
  /** In `pages`. */
  place: number;
  deviceId: DeviceId;
}

const NAMES = [
  'appIds',
  'messageIds',
  'pageIds',
  'completeOnes',
  'toldPlaces',
  'deviceIds',
  'times',
  'languages',
  'state',
  'rank',
  'errorCode',
  'reason',
  'now',
] as const;

type Places = Readonly<Record<(typeof NAMES)[number], Parameter>>;

/**
 * `told`: the outcomes with their devices; `held`: the pages, locked; `recorded`: the new rows. Complete pages are
 * deleted.
 *
 * It names the day: PostgreSQL 18 can crash where a statement that locks rows finds its partitions while it runs
 * (docs/decisions/0039).
 */
function writeTold(day: LedgerDay, places: Places): Sql {
  const { appIds, messageIds, pageIds, completeOnes, toldPlaces, deviceIds, times, languages } = places;
  const { state, rank, errorCode, reason, now } = places;
  return sql`
  told AS MATERIALIZED (
    SELECT * FROM unnest(${toldPlaces}::integer[], ${deviceIds}::bigint[], ${times}::float8[], ${languages}::text[])
      AS t (place, device_id, at, language)
  ), held AS MATERIALIZED (
    SELECT k.*, p.created_at
    FROM unnest(${appIds}::text[], ${messageIds}::uuid[], ${pageIds}::uuid[], ${completeOnes}::boolean[]) WITH ORDINALITY
      AS k (app_id, message_id, id, is_complete, place)
    CROSS JOIN LATERAL (
      SELECT created_at FROM ${day.pages} WHERE app_id = k.app_id AND message_id = k.message_id AND id = k.id AND edge_id IS NOT NULL
      FOR NO KEY UPDATE
    ) p
  ), recorded AS (
    INSERT INTO ${day.deliveries} (app_id, message_id, device_id, state, rank, vendor, error_code, reason, language, created_at, sent_at,
      delivered_at, updated_at)
    SELECT h.app_id, h.message_id, t.device_id, ${state}::text, ${rank}::smallint, 'connection', ${errorCode}::text, ${reason}::text, t.language, h.created_at,
      CASE WHEN ${state} = 'sent' THEN to_timestamp(t.at / 1000) END,
      CASE WHEN ${state} = 'delivered' THEN to_timestamp(t.at / 1000) END, ${now}::timestamptz
    FROM told t JOIN held h ON h.place = t.place
    ON CONFLICT (app_id, message_id, device_id) DO NOTHING
    RETURNING app_id, message_id, device_id, delivered_at, created_at
  ), gone AS (
    DELETE FROM ${day.pages} p USING held h
    WHERE h.is_complete AND p.app_id = h.app_id AND p.message_id = h.message_id AND p.id = h.id AND p.edge_id IS NOT NULL
  )`;
}

const NOT_HELD = sql`
  SELECT t.place - 1 AS place, t.device_id::text AS "deviceId"
  FROM told t LEFT JOIN held h ON h.place = t.place
  WHERE NOT EXISTS (SELECT FROM recorded r WHERE r.device_id = t.device_id AND r.message_id = h.message_id AND r.app_id = h.app_id)`;

/**
 * Counts the delivered ones, and ends their fallbacks. One query checks if the message has any fallback, instead of one
 * for every device.
 */
function writeDelivered(now: Parameter): Sql {
  return sql`
  members AS MATERIALIZED (
    SELECT r.app_id, r.message_id, r.device_id, date_trunc('hour', greatest(r.delivered_at, r.created_at), 'UTC') AS hour,
      i.user_id, coalesce(i.platform, 'other') AS platform
    FROM recorded r LEFT JOIN LATERAL (
      SELECT i.user_id, ${countedPlatform(sql`i.device_type`)} AS platform FROM installations i
      WHERE i.app_id = r.app_id AND i.id = r.device_id LIMIT 1
    ) i ON true
  ), counted AS (
    INSERT INTO message_counts AS m (app_id, message_id, kind, hour, platform, count)
    SELECT app_id, message_id, 'delivered', hour, platform, count(*) FROM members
    GROUP BY app_id, message_id, hour, platform ORDER BY app_id, message_id, hour, platform
    ON CONFLICT (app_id, message_id, kind, name_key, hour, platform) DO UPDATE SET count = m.count + excluded.count
  ), covered AS MATERIALIZED (
    SELECT DISTINCT app_id, message_id FROM held h
    WHERE (SELECT f.app_id FROM fallbacks f WHERE f.app_id = h.app_id AND f.message_id = h.message_id LIMIT 1) IS NOT NULL
  ), needless AS MATERIALIZED (
    SELECT f.app_id, f.message_id, f.user_id
    FROM covered c JOIN members m ON m.app_id = c.app_id AND m.message_id = c.message_id
    CROSS JOIN LATERAL (
      SELECT f.app_id, f.message_id, f.user_id FROM fallbacks f
      WHERE f.app_id = m.app_id AND f.message_id = m.message_id AND f.user_id = m.user_id AND f.state = 'waiting'
        AND f.policy IS DISTINCT FROM 'SHOWN'
      FOR UPDATE SKIP LOCKED
    ) f
  ), confirmed AS (
    UPDATE fallbacks f
    SET state = 'confirmed', wake_at = NULL, error_code = NULL, reason = NULL, ended_at = ${now}, updated_at = ${now}
    FROM needless n WHERE f.app_id = n.app_id AND f.message_id = n.message_id AND f.user_id = n.user_id
  )`;
}

const statementsOf = onceADay((day) => ({
  record: template(NAMES, (places) => sql`WITH ${writeTold(day, places)}${NOT_HELD}`),
  recordDelivered: template(
    NAMES,
    (places) => sql`WITH ${writeTold(day, places)},${writeDelivered(places.now)}${NOT_HELD}`,
  ),
}));

/**
 * Writes outcomes of devices on pages of one day that an edge holds; returns `NotOnEdge` for those that it did not
 * write.
 */
export function recordEdgeOutcomesStatement(
  day: LedgerDay,
  pages: readonly EdgeOutcomes[],
  { state, errorCode, reason }: EdgeEnd,
  now: Date,
): Sql {
  const { record, recordDelivered } = statementsOf(day);
  const write = state === 'delivered' ? recordDelivered : record;
  return write({
    appIds: pages.map(({ appId }) => appId),
    messageIds: pages.map(({ messageId }) => messageId),
    pageIds: pages.map(({ pageId }) => pageId),
    completeOnes: pages.map(({ isComplete }) => isComplete),
    toldPlaces: pages.flatMap(({ deviceIds }, place) => deviceIds.map(() => place + 1)),
    deviceIds: pages.flatMap(({ deviceIds }) => deviceIds),
    times: pages.flatMap(({ times }) => times),
    languages: pages.some(({ languages }) => languages !== undefined)
      ? pages.flatMap(({ deviceIds, languages }) => languages ?? deviceIds.map(() => null))
      : null,
    state,
    rank: deliveryStateRank(state),
    errorCode,
    reason,
    now,
  });
}

/** Which devices of the pages the statement wrote: all but those that it returned. */
export function writtenHere(pages: readonly EdgeOutcomes[], notHeld: readonly NotOnEdge[]): DevicesOfMessage[] {
  const others = new Set(notHeld.map(({ place, deviceId }) => `${place} ${deviceId}`));
  return pages.map(({ appId, messageId, deviceIds }, place) => ({
    appId,
    messageId,
    deviceIds: deviceIds.filter((deviceId) => !others.has(`${place} ${deviceId}`)),
  }));
}
