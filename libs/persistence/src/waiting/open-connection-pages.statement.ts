import {
  CHANGED_HANDS,
  type DeliveryState,
  deliveryStateRank,
  type DeviceId,
  FREQUENCY_CAPPED,
  type FrequencyCap,
  type Lane,
  type MessageContent,
} from '@postrider/domain';
import { isMeantForOwner } from '../devices/ownership';
import type { LedgerDay } from '../partitions/ledger-day';
import { edgeIsAlive } from '../edges/edges.repository';
import type { PageKey } from '../partitions/message-key';
import type { ContactedDevice } from '../contacts/record-contacts.statement';
import { literal, parameter, sql, type Sql } from '../sql';
import { dueConnectionPages } from '../due-work/due-rows';

const rank = (state: DeliveryState): Sql => literal(deliveryStateRank(state));

/** The time, and how many pages one run opens. */
export interface OpeningLimits {
  now: Date;
  limit: number;
}

/** A page of connections that is due. */
export interface DueConnectionPage extends PageKey {
  /** True if a device on it may have quiet hours now. */
  mayBeQuiet: boolean;
  /** What the frequency caps need, if the application counts what its users get. */
  counting: {
    lane: Lane;
    content: Pick<MessageContent, 'countsTowardsCap' | 'ignoreFrequencyCap' | 'isTest'>;
    frequencyCaps: FrequencyCap[];
    /** `applications.contacts_since`; ISO 8601. */
    since: string;
    devices: ContactedDevice[];
  } | null;
}

/** Pages to open, and those of their devices that are skipped because their users reached a cap. */
export interface PagesToOpen {
  pages: readonly PageKey[];
  capped: readonly { messageId: string; deviceId: DeviceId }[];
}

/**
 * Finds due pages of connections, the longest due first. The statement runs each second over all days, and is planned
 * once.
 */
export function findConnectionPagesStatement({ now, limit }: OpeningLimits): Sql {
  return sql`SELECT p.app_id AS "appId", p.message_id AS "messageId", p.id AS "pageId",
      p.is_steered AND a.quiet_hours IS NOT NULL AS "mayBeQuiet", CASE WHEN a.contacts_since IS NOT NULL
      THEN json_build_object('lane', p.lane, 'frequencyCaps', a.frequency_caps, 'since', a.contacts_since,
        'content', (SELECT m.content FROM messages m WHERE m.app_id = p.app_id AND m.id = p.message_id),
        'devices', (
          SELECT coalesce(json_agg(json_build_object('id', i.id::text, 'userId', i.user_id)), '[]')
          FROM unnest(p.device_ids) AS device (id) JOIN installations i ON i.app_id = p.app_id AND i.id = device.id
        )) END AS counting
    FROM (
      SELECT app_id, message_id, id, lane, device_ids, is_steered, wake_at ${dueConnectionPages(now)}
      ORDER BY wake_at LIMIT ${limit}
    ) p JOIN applications a ON a.app_id = p.app_id
    ORDER BY p.wake_at`;
}

/**
 * Opens pages of connections of one day that still wait: each of their devices gets its delivery row. Returns their
 * messages. What is opened while its message is being cancelled ends at once (`inbox_ends_at`).
 */
export function openConnectionPagesStatement(day: LedgerDay, { pages, capped }: PagesToOpen, now: Date): Sql {
  const at = parameter(now);
  const ids = pages.map(({ pageId }) => pageId);
  const messageIds = pages.map(({ messageId }) => messageId);
  const isMeant = isMeantForOwner({ installation: sql`i`, users: sql`o.user_ids`, since: sql`o.starts_at` });
  return sql`
  WITH due AS MATERIALIZED (
    SELECT app_id, message_id, id FROM ${day.pages}
    WHERE wake_at <= ${at} AND vendor = 'connection' AND state = 'waiting' AND message_id = ANY (${messageIds}::uuid[])
      AND id = ANY (${ids}::uuid[])
    FOR NO KEY UPDATE SKIP LOCKED
  ), capped AS MATERIALIZED (
    SELECT * FROM unnest(${capped.map(({ messageId }) => messageId)}::uuid[], ${capped.map(({ deviceId }) => deviceId)}::bigint[])
      AS c (message_id, device_id)
  ), opened AS (
    UPDATE ${day.pages} p SET state = 'finished', wake_at = NULL, finished_at = ${at}
    FROM due JOIN ${day.messages} m ON m.app_id = due.app_id AND m.id = due.message_id
    WHERE p.app_id = due.app_id AND p.message_id = due.message_id AND p.id = due.id
    RETURNING p.app_id, p.message_id, p.device_ids, m.expires_at, m.user_ids, coalesce(m.send_at, m.accepted_at) AS starts_at,
      CASE WHEN m.status = 'cancelled' THEN 'cancelled' WHEN coalesce(p.expires_at, m.expires_at) <= ${at} THEN 'expired'
        ELSE 'pending' END AS state
  ), recorded AS (
    INSERT INTO ${day.deliveries} (app_id, message_id, device_id, state, rank, vendor, error_code, reason, edge_id,
      created_at, updated_at)
    SELECT o.app_id, o.message_id, device.id, outcome.state, outcome.rank, 'connection', outcome.error_code, outcome.reason,
      CASE WHEN outcome.state = 'pending' THEN (
        SELECT e.edge_id FROM presence c JOIN edges e ON e.edge_id = c.edge_id
        WHERE c.app_id = o.app_id AND c.id = device.id AND ${edgeIsAlive(sql`e`)} LIMIT 1
      ) END, ${at}, ${at}
    FROM opened o CROSS JOIN LATERAL unnest(o.device_ids) AS device (id)
    JOIN (VALUES ('pending', ${rank('pending')}, NULL, 'waits_for_connection'),
      ('cancelled', ${rank('cancelled')}, NULL, NULL), ('expired', ${rank('expired')}, NULL, NULL),
      ('skipped', ${rank('skipped')}, ${literal(CHANGED_HANDS.errorCode)}, ${literal(CHANGED_HANDS.reason)}),
      ('skipped', ${rank('skipped')}, ${literal(FREQUENCY_CAPPED.errorCode)}, ${literal(FREQUENCY_CAPPED.reason)})
    ) AS outcome (state, rank, error_code, reason) ON CASE WHEN o.state <> 'pending' THEN outcome.state = o.state
      WHEN (SELECT ${isMeant} FROM installations i WHERE i.app_id = o.app_id AND i.id = device.id) IS NOT TRUE
        THEN outcome.error_code = ${literal(CHANGED_HANDS.errorCode)}
      WHEN (o.message_id, device.id) IN (SELECT message_id, device_id FROM capped)
        THEN outcome.error_code = ${literal(FREQUENCY_CAPPED.errorCode)}
      ELSE outcome.state = 'pending' END
    ON CONFLICT (app_id, message_id, device_id) DO NOTHING
  ), ends AS (
    UPDATE ${day.messages} m
    SET inbox_ends_at = coalesce(m.inbox_ends_at, CASE WHEN m.status = 'cancelled' THEN ${at}::timestamptz ELSE m.expires_at END)
    FROM (SELECT DISTINCT app_id, message_id FROM opened WHERE state = 'pending') o
    WHERE m.app_id = o.app_id AND m.id = o.message_id
  )
  SELECT app_id AS "appId", message_id AS "messageId" FROM opened`;
}
