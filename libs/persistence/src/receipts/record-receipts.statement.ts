import { deliveryStateRank } from '@postrider/domain';
import { momentOfId } from '@postrider/platform';
import { confirmingRank, USUAL_CONFIRMING_RANK } from '../fallbacks/claim-fallbacks.statement';
import { packOf } from '../packs/packed-deliveries';
import { type LedgerDay, onceADay } from '../partitions/ledger-day';
import { literal, type Parameter, type Sql, sql, template } from '../sql';
import { countedPlatform, nameKey } from '../statistics/message-count-key';
import type { Click, DeviceReceipts } from './receipt';

/** What a statement does about a delivery whose row is locked: it skips the delivery, or waits. */
export type WhenHeld = 'skip' | 'wait';

/**
 * Records what devices reported, counts it by hour and platform, and ends the fallback SMS that are no longer needed,
 * in one statement. A delivery only moves forward, and each time is the first that was reported, whatever the order of
 * the reports. Repeated reports change nothing. With `skip` a statement can have any number of deliveries while others
 * hold some of them: nobody waits for two locks. Returns the places of the entries, from 1, whose deliveries exist.
 *
 * @param day that of all messages (docs/decisions/0039)
 * @param entries one for each device and message, in the order of `mergeReceipts`
 */
export function recordReceiptsStatement(
  day: LedgerDay,
  entries: readonly DeviceReceipts[],
  now: Date,
  whenHeld: WhenHeld,
): Sql {
  const clicks = entries.flatMap(({ clicks = [] }, place) => withFirst(clicks).map((click) => ({ ...click, place })));
  return statementsOf(day)[whenHeld]({
    appIds: entries.map(({ appId }) => appId),
    deviceIds: entries.map(({ deviceId }) => deviceId),
    messageIds: entries.map(({ messageId }) => messageId),
    // When the message was accepted: no device did anything with it before.
    floors: entries.map(({ messageId }) => momentOfId(messageId)),
    states: entries.map(({ state }) => state),
    ranks: entries.map(({ state }) => deliveryStateRank(state)),
    deliveredAts: entries.map(({ deliveredAt }) => deliveredAt),
    shownAts: entries.map(({ shownAt }) => shownAt),
    openedAts: entries.map(({ openedAt }) => openedAt),
    dismissedAts: entries.map(({ dismissedAt }) => dismissedAt),
    now,
    clickPlaces: clicks.map(({ place }) => place + 1),
    clickKinds: clicks.map(({ kind }) => kind),
    clickNames: clicks.map(({ name }) => name),
    clickNameKeys: clicks.map(({ kind, name }) => (kind === 'clicked' ? Buffer.alloc(0) : nameKey(name))),
    clickAts: clicks.map(({ at }) => at),
  });
}

/**
 * The choices of a device in a message, and one entry `clicked` that counts the device once, whatever the number of its
 * clicks.
 */
function withFirst(clicks: readonly Click[]): (Omit<Click, 'kind'> & { kind: Click['kind'] | 'clicked' })[] {
  const [first] = clicks.toSorted((one, other) => one.at.getTime() - other.at.getTime());
  return first === undefined ? [] : [...clicks, { kind: 'clicked', name: '', at: first.at }];
}

/** The inputs of the statement: a value of each list for each entry, then for each click the place of its entry. */
const VALUES = [
  'appIds',
  'deviceIds',
  'messageIds',
  'floors',
  'states',
  'ranks',
  'deliveredAts',
  'shownAts',
  'openedAts',
  'dismissedAts',
  'now',
  'clickPlaces',
  'clickKinds',
  'clickNames',
  'clickNameKeys',
  'clickAts',
] as const;

/** The entries, with `floor` (the earliest possible time of a report about the message) and their places from 1. */
const reportedEntries = (entry: Readonly<Record<(typeof VALUES)[number], Parameter>>): Sql => sql`
    SELECT * FROM unnest(${entry.appIds}::text[], ${entry.deviceIds}::bigint[], ${entry.messageIds}::uuid[],
      ${entry.floors}::timestamptz[], ${entry.states}::text[], ${entry.ranks}::smallint[], ${entry.deliveredAts}::timestamptz[],
      ${entry.shownAts}::timestamptz[], ${entry.openedAts}::timestamptz[], ${entry.dismissedAts}::timestamptz[]) WITH ORDINALITY
      AS r (app_id, device_id, message_id, floor, state, rank, delivered_at, shown_at, opened_at, dismissed_at, place)`;

/**
 * Moves counts from the hour in which they were to the hour in which they belong: for the deliveries in `news`, and for
 * the clicks in `clicked`.
 */
const COUNT_CHANGES = sql`changes AS (
    SELECT n.app_id, n.message_id, n.device_id, n.floor, t.kind, ''::bytea AS name_key, NULL AS name, t.before,
      least(t.before, t.reported) AS after
    FROM news n CROSS JOIN LATERAL (VALUES ('delivered', n.old_delivered, n.delivered_at), ('shown', n.old_shown, n.shown_at),
      ('opened', n.old_opened, n.opened_at), ('dismissed', n.old_dismissed, n.dismissed_at)) AS t (kind, before, reported)
    WHERE t.reported < coalesce(t.before, 'infinity')
    UNION ALL
    SELECT c.app_id, c.message_id, c.device_id, h.floor, c.kind, c.name_key, nullif(c.name, ''), c.moved_from, c.first_at
    FROM clicked c JOIN held h ON h.app_id = c.app_id AND h.message_id = c.message_id AND h.device_id = c.device_id
  ), steps AS (
    SELECT app_id, message_id, device_id, kind, name_key, name, date_trunc('hour', greatest(after, floor), 'UTC') AS hour, 1 AS step
    FROM changes
    UNION ALL
    SELECT app_id, message_id, device_id, kind, name_key, name, date_trunc('hour', greatest(before, floor), 'UTC'), -1
    FROM changes WHERE before IS NOT NULL
  ), counted AS (
    INSERT INTO message_counts AS m (app_id, message_id, kind, name_key, hour, platform, name, count)
    SELECT s.app_id, s.message_id, s.kind, s.name_key, s.hour, p.platform, min(s.name), sum(s.step)
    FROM steps s LEFT JOIN LATERAL (
      SELECT ${countedPlatform(sql`i.device_type`)} AS platform FROM installations i WHERE i.app_id = s.app_id AND i.id = s.device_id LIMIT 1
    ) i ON true CROSS JOIN LATERAL (SELECT coalesce(i.platform, 'other') AS platform) p
    GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(s.step) <> 0 ORDER BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (app_id, message_id, kind, name_key, hour, platform) DO UPDATE SET count = m.count + excluded.count`;

/**
 * Ends the fallbacks that `held` makes unnecessary. A worker that claims one holds its lock: it is skipped here, and
 * the worker checks the deliveries before it sends.
 */
const endNeedless = (now: Parameter): Sql => sql`needless AS MATERIALIZED (
    SELECT f.app_id, f.message_id, f.user_id
    FROM held h
    JOIN LATERAL (
      SELECT user_id FROM installations WHERE app_id = h.app_id AND id = h.device_id LIMIT 1
    ) i ON true
    CROSS JOIN LATERAL (
      SELECT f.app_id, f.message_id, f.user_id FROM fallbacks f
      WHERE f.app_id = h.app_id AND f.message_id = h.message_id AND f.user_id = i.user_id AND f.state = 'waiting'
        AND h.rank >= ${confirmingRank(sql`f.policy`)}
      FOR UPDATE SKIP LOCKED
    ) f
    WHERE h.rank >= ${USUAL_CONFIRMING_RANK}::int
  ), confirmed AS (
    UPDATE fallbacks f
    SET state = 'confirmed', wake_at = NULL, error_code = NULL, reason = NULL, ended_at = ${now}, updated_at = ${now}
    FROM needless n WHERE f.app_id = n.app_id AND f.message_id = n.message_id AND f.user_id = n.user_id
  )`;

const SENT_RANK = literal(deliveryStateRank('sent'));

/**
 * A delivery that a pack holds and that has no row gets one, in the state that the reports lead to. If another
 * transaction makes the row at this moment, the delivery is neither in `unpacked` nor among the existing ones.
 */
const unpacked = (day: LedgerDay, now: Parameter): Sql => sql`packed AS MATERIALIZED (
    SELECT r.*, k.vendor, k.language, k.created_at, (r.rank > ${SENT_RANK} OR r.delivered_at IS NOT NULL OR r.shown_at IS NOT NULL
      OR r.opened_at IS NOT NULL OR r.dismissed_at IS NOT NULL) IS TRUE AS is_news
    FROM reported r CROSS JOIN LATERAL (
      SELECT vendor, language, created_at ${packOf({ app: sql`r.app_id`, message: sql`r.message_id`, device: sql`r.device_id` }, day.packs)} LIMIT 1
    ) k
    WHERE (SELECT true FROM ${day.deliveries} d
      WHERE d.app_id = r.app_id AND d.message_id = r.message_id AND d.device_id = r.device_id) IS NULL
  ), unpacked AS (
    INSERT INTO ${day.deliveries} (app_id, message_id, device_id, state, rank, vendor, attempt, is_packed, language, created_at, delivered_at, shown_at,
      opened_at, dismissed_at, updated_at)
    SELECT app_id, message_id, device_id, CASE WHEN rank > ${SENT_RANK} THEN state ELSE 'sent' END, greatest(rank, ${SENT_RANK}),
      vendor, 1, true, language, created_at, delivered_at, shown_at, opened_at, dismissed_at, CASE WHEN is_news THEN ${now} ELSE created_at END
    FROM packed ORDER BY app_id, message_id, device_id
    ON CONFLICT (app_id, message_id, device_id) DO NOTHING
    RETURNING app_id, message_id, device_id`;

/**
 * `held` are the deliveries in their present state, whatever the snapshot of this statement is: the lock brings the
 * newest version. So `before` and `after` of each time are exact, and with them the counts. Rows of `delivery_clicks`
 * are written under the same locks. A value that an upsert there replaced comes back as `moved_from`.
 */
const statement = (day: LedgerDay, lock: Sql): ReturnType<typeof template<(typeof VALUES)[number]>> =>
  template(VALUES, (given) => {
    const { now } = given;
    return sql`
  WITH reported AS MATERIALIZED (
    ${reportedEntries(given)}
  ), ${unpacked(day, now)}
  ), held AS MATERIALIZED (
    SELECT r.*, d.rank AS old_rank, d.old_delivered, d.old_shown, d.old_opened, d.old_dismissed
    FROM reported r CROSS JOIN LATERAL (
      SELECT rank, delivered_at AS old_delivered, shown_at AS old_shown, opened_at AS old_opened,
        dismissed_at AS old_dismissed
      FROM ${day.deliveries}
      WHERE app_id = r.app_id AND message_id = r.message_id AND device_id = r.device_id
      ${lock}
    ) d
    UNION ALL
    SELECT p.app_id, p.device_id, p.message_id, p.floor, p.state, p.rank, p.delivered_at, p.shown_at, p.opened_at, p.dismissed_at,
      p.place, ${SENT_RANK}::smallint, NULL, NULL, NULL, NULL
    FROM packed p JOIN unpacked u ON u.app_id = p.app_id AND u.message_id = p.message_id AND u.device_id = p.device_id
  ), news AS MATERIALIZED (
    SELECT * FROM held
    WHERE rank > old_rank OR delivered_at < coalesce(old_delivered, 'infinity') OR shown_at < coalesce(old_shown, 'infinity')
      OR opened_at < coalesce(old_opened, 'infinity') OR dismissed_at < coalesce(old_dismissed, 'infinity')
  ), moved AS (
    UPDATE ${day.deliveries} d
    SET state = CASE WHEN n.rank > d.rank THEN n.state ELSE d.state END, rank = greatest(n.rank, d.rank),
      error_code = CASE WHEN n.rank > d.rank THEN NULL ELSE d.error_code END,
      reason = CASE WHEN n.rank > d.rank THEN NULL ELSE d.reason END,
      edge_id = CASE WHEN n.rank > d.rank THEN NULL ELSE d.edge_id END,
      delivered_at = least(d.delivered_at, n.delivered_at), shown_at = least(d.shown_at, n.shown_at),
      opened_at = least(d.opened_at, n.opened_at), dismissed_at = least(d.dismissed_at, n.dismissed_at), updated_at = ${now}
    FROM news n
    WHERE d.app_id = n.app_id AND d.message_id = n.message_id AND d.device_id = n.device_id
  ), clicked AS (
    INSERT INTO delivery_clicks AS c (app_id, message_id, device_id, kind, name_key, name, first_at)
    SELECT h.app_id, h.message_id, h.device_id, k.kind, k.name_key, k.name, k.at
    FROM unnest(${given.clickPlaces}::bigint[], ${given.clickKinds}::text[], ${given.clickNames}::text[],
      ${given.clickNameKeys}::bytea[], ${given.clickAts}::timestamptz[]) AS k (place, kind, name, name_key, at)
    JOIN held h ON h.place = k.place
    ON CONFLICT (app_id, message_id, device_id, kind, name_key) DO UPDATE
    SET first_at = excluded.first_at, moved_from = c.first_at WHERE excluded.first_at < c.first_at
    RETURNING c.app_id, c.message_id, c.device_id, c.kind, c.name_key, c.name, c.moved_from, c.first_at
  ), ${COUNT_CHANGES}
  ), ${endNeedless(now)}
  SELECT place FROM held`;
  });

const statementsOf = onceADay((day) => {
  const lock = sql`FOR NO KEY UPDATE`;
  return { skip: statement(day, sql`${lock} SKIP LOCKED`), wait: statement(day, lock) };
});
