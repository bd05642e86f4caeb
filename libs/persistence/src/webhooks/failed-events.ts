import type { DeviceId, MessageContent } from '@postrider/domain';
import type { Executor } from '../database/executor';
import { variantNameOf } from '../campaign-tests/campaign-places';
import type { MessageKey } from '../partitions/message-key';
import { byDay, keysFrom, type LedgerDay, rowsOfDay } from '../partitions/ledger-day';
import { isoTime, joined, type Sql, sql } from '../sql';
import { UNLESS_DELETED } from './event-inserts';

/** Devices that a message is done with: those of one page, or those whose connections failed at the same moment. */
export interface DevicesOfMessage extends MessageKey {
  deviceIds: readonly DeviceId[];
}

/**
 * Writes one event `delivery.failed` for each entry with the devices that its message failed to reach, or none, for
 * webhooks that ask for it. Call it in the transaction that ends these deliveries, so that each device is reported once.
 */
export async function insertFailedEvents(executor: Executor, ended: readonly DevicesOfMessage[]): Promise<void> {
  for (const [day, ofDay] of byDay(ended)) {
    const asked = ofDay.map((one, place) => ({ place, ...one }));
    const variant = await variantSql(executor, day, ofDay);
    await rowsOfDay(
      executor,
      sql`WITH failed AS (
            SELECT a."appId", json_build_object('messageId', a."messageId", 'trackId', max(m.track_id), 'count', count(*),
              'deliveries', json_agg(json_build_object('installationId', i.installation_id, 'userId', i.user_id,
                'vendor', d.vendor, 'errorCode', d.error_code, 'reason', d.reason, 'attempt', d.attempt,
                'language', d.language, 'variant', ${variant}, 'failedAt', ${isoTime(sql`d.updated_at`)}))) AS data
            FROM ${keysFrom(asked, sql`"appId" text, "messageId" uuid, "deviceIds" bigint[]`)} a
            CROSS JOIN LATERAL unnest(a."deviceIds") AS device (id)
            CROSS JOIN LATERAL (
              SELECT * FROM ${day.deliveries}
              WHERE app_id = a."appId" AND message_id = a."messageId" AND device_id = device.id AND state = 'failed' LIMIT 1
            ) d
            LEFT JOIN LATERAL (
              SELECT * FROM installations WHERE app_id = a."appId" AND id = device.id LIMIT 1
            ) i ON true
            CROSS JOIN LATERAL (
              SELECT track_id FROM ${day.messages} WHERE app_id = a."appId" AND id = a."messageId" LIMIT 1
            ) m
            GROUP BY a.place, a."appId", a."messageId"
          )
          INSERT INTO webhook_events (app_id, webhook_id, type, data)
          SELECT w.app_id, w.webhook_id, 'delivery.failed', failed.data
          FROM failed JOIN webhooks w ON w.app_id = failed."appId" AND w.is_enabled AND 'delivery.failed' = ANY (w.events)
          ${UNLESS_DELETED}`,
    );
  }
}

/**
 * SQL for the variant of message `a."messageId"` that the user of the device `i` gets. NULL if the message has no
 * variants.
 */
async function variantSql(executor: Executor, day: LedgerDay, ended: readonly DevicesOfMessage[]): Promise<Sql> {
  const messages = [...new Map(ended.map((one) => [one.messageId, one])).values()];
  const keys = messages.map(({ appId, messageId }, place) => ({ place, appId, messageId }));
  const tested = await rowsOfDay<{ id: string; content: MessageContent; winner: string | null }>(
    executor,
    sql`SELECT m.id, m.content, m.winner_variant AS winner FROM ${keysFrom(keys, sql`"appId" text, "messageId" uuid`)} a
        CROSS JOIN LATERAL (
          SELECT id, content, winner_variant FROM ${day.messages} WHERE app_id = a."appId" AND id = a."messageId" LIMIT 1
        ) m
        WHERE m.content ? 'variants'`,
  );
  if (tested.length === 0) return sql`NULL::text`;
  const cases = tested.map(
    (message) =>
      sql`WHEN a."messageId" = ${message.id}::uuid THEN ${variantNameOf(message, sql`a."appId"`, sql`i.user_id`)}`,
  );
  return sql`CASE ${joined(cases, ' ')} END`;
}
