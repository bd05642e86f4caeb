import type { JsonObject, WebhookEventType } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';
import { sql } from '../sql';

/** Something that happened in an application. */
export interface NewWebhookEvent {
  appId: string;
  type: WebhookEventType;
  data: JsonObject;
}

/**
 * Writes an event for each enabled webhook of its application that asks for its type; nothing when none does. Goes into the
 * transaction of what happened: then neither is without the other. A worker sends it about a second after the commit.
 */
export async function recordWebhookEvents(executor: Executor, events: readonly NewWebhookEvent[]): Promise<void> {
  if (events.length === 0) return;
  await rows(
    executor,
    sql`INSERT INTO webhook_events (app_id, webhook_id, type, data)
        SELECT w.app_id, w.webhook_id, e.type, e.data
        FROM json_to_recordset(${JSON.stringify(events)}::json) AS e ("appId" text, type text, data json)
        JOIN webhooks w ON w.app_id = e."appId" AND w.is_enabled AND e.type = ANY (w.events)`,
  );
}
