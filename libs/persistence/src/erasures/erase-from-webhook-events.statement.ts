import { parameter, sql, type Sql } from '../sql';

/** Where a walk through the webhook events of an application stands. */
export interface WebhookEventPlace {
  webhookId: string;
  eventId: string;
}

/**
 * Takes a user out of the webhook events of one stretch, sent or not: their entry in a list of deliveries or tokens goes, and an
 * event about them alone no longer says about whom. An event about a message that was for them alone, and was emptied
 * before, loses the sender's id too, and its track id is what the message has now. What was counted stays. Returns the
 * place of the last event of a full stretch.
 */
export function eraseFromWebhookEventsStatement(
  user: { appId: string; userId: string; pattern: string },
  { after, limit: most }: { after: WebhookEventPlace; limit: number },
): Sql {
  const [appId, userId, limit] = [parameter(user.appId), parameter(user.userId), parameter(most)];
  return sql`
  WITH stretch AS MATERIALIZED (
    SELECT webhook_id, event_id, data, message.is_emptied IS TRUE AS is_emptied, message.track_id
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
        WHEN part.key IN ('userId', 'phone') AND s.data ->> 'userId' = ${userId} THEN 'null'::json
        WHEN part.key = 'clientId' AND s.is_emptied THEN 'null'::json
        WHEN part.key = 'trackId' AND s.is_emptied THEN coalesce(to_json(s.track_id), 'null'::json)
        ELSE part.value
      END)
      FROM json_each(s.data) part
    )
    FROM stretch s
    WHERE e.app_id = ${appId} AND e.webhook_id = s.webhook_id AND e.event_id = s.event_id
      AND (s.is_emptied OR strpos(s.data::text, to_json(${userId}::text)::text) > 0)
  )
  SELECT webhook_id AS "webhookId", event_id AS "eventId" FROM stretch
  ORDER BY webhook_id, event_id OFFSET ${limit} - 1`;
}
