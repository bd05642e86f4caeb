import { parameter, sql, type Sql } from '../sql';

/** The position of a pass over the webhook events of an application. */
export interface WebhookEventPlace {
  webhookId: string;
  eventId: string;
}

/**
 * Removes a user from one batch of webhook events, sent or not. Their entries in lists of deliveries and tokens are
 * deleted. An event about them alone no longer names anybody. An event about a message that was for them alone, and
 * that was emptied before, also loses the sender's id, and gets the track id that the message has now. Counts stay.
 * Returns the position of the last event if the batch is full.
 *
 * It changes what the locked row holds (`e.data`): another user of the same event may have been erased while it waited.
 */
export function eraseFromWebhookEventsStatement(
  user: { appId: string; userId: string; pattern: string },
  { after, limit: most }: { after: WebhookEventPlace; limit: number },
): Sql {
  const [appId, userId, limit] = [parameter(user.appId), parameter(user.userId), parameter(most)];
  return sql`
  WITH stretch AS MATERIALIZED (
    SELECT webhook_id, event_id, message.is_emptied IS TRUE AS is_emptied, message.track_id
    FROM webhook_events LEFT JOIN LATERAL (
      SELECT m.user_ids = '{}' AS is_emptied, m.track_id FROM messages m
      WHERE m.app_id = ${appId} AND m.id = (data ->> 'messageId')::uuid
    ) message ON (type = 'message.done' AND data ->> 'clientId' IS NOT NULL) OR data ->> 'trackId' ~ ${user.pattern}
    WHERE app_id = ${appId} AND (webhook_id, event_id) > (${after.webhookId}::uuid, ${after.eventId}::uuid)
    ORDER BY webhook_id, event_id LIMIT ${limit}
  ), erased AS (
    UPDATE webhook_events e SET data = (
      SELECT json_object_agg(part.key, CASE
        WHEN json_typeof(part.value) = 'array' THEN (
          SELECT coalesce(json_agg(entry.value ORDER BY entry.place), '[]')
          FROM json_array_elements(part.value) WITH ORDINALITY AS entry (value, place)
          WHERE json_typeof(entry.value) <> 'object' OR entry.value ->> 'userId' IS DISTINCT FROM ${userId}
        )
        WHEN part.key IN ('userId', 'phone') AND e.data ->> 'userId' = ${userId} THEN 'null'::json
        WHEN part.key = 'clientId' AND s.is_emptied THEN 'null'::json
        WHEN part.key = 'trackId' AND s.is_emptied THEN coalesce(to_json(s.track_id), 'null'::json)
        ELSE part.value
      END)
      FROM json_each(e.data) part
    )
    FROM stretch s
    WHERE e.app_id = ${appId} AND e.webhook_id = s.webhook_id AND e.event_id = s.event_id
      AND (s.is_emptied OR strpos(e.data::text, to_json(${userId}::text)::text) > 0)
  )
  SELECT webhook_id AS "webhookId", event_id AS "eventId" FROM stretch
  ORDER BY webhook_id, event_id OFFSET ${limit} - 1`;
}
