import type { JsonObject } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';
import type { WebhookKey } from './webhook';

/**
 * Makes an event due now, as if it had just been written, under its old id. One that is being sent at this moment is left alone.
 *
 * @returns `again`; `busy` when it is being sent; null when there is none
 */
export async function sendWebhookEventAgain(
  executor: Executor,
  { appId, webhookId }: WebhookKey,
  eventId: string,
  now: Date,
): Promise<'again' | 'busy' | null> {
  const [found] = await rows<{ isAgain: boolean }>(
    executor,
    `WITH asked AS (
       SELECT event_id FROM webhook_events WHERE app_id = $1 AND webhook_id = $2 AND event_id = $3
     ), again AS (
       UPDATE webhook_events
       SET state = 'waiting', tries = 0, wake_at = $4, deadline_at = $4::timestamptz + interval '1 day', ended_at = NULL
       WHERE app_id = $1 AND webhook_id = $2 AND event_id = $3 AND (state <> 'sending' OR wake_at <= $4)
       RETURNING 1
     )
     SELECT EXISTS (SELECT 1 FROM again) AS "isAgain" FROM asked`,
    [appId, webhookId, eventId, now],
  );
  if (found === undefined) return null;
  return found.isAgain ? 'again' : 'busy';
}

/** Writes an event of a webhook by itself, whatever it asks for. @returns its id, or null when there is no such webhook */
export async function insertWebhookTest(
  executor: Executor,
  { appId, webhookId }: WebhookKey,
  type: string,
  data: JsonObject,
): Promise<string | null> {
  const [made] = await rows<{ eventId: string }>(
    executor,
    `INSERT INTO webhook_events (app_id, webhook_id, type, data)
     SELECT app_id, webhook_id, $3, $4::json FROM webhooks WHERE app_id = $1 AND webhook_id = $2
     RETURNING event_id AS "eventId"`,
    [appId, webhookId, type, JSON.stringify(data)],
  );
  return made?.eventId ?? null;
}

/** Removes up to `limit` events that were written before `before`, sent or not. @returns how many went */
export async function deleteOldWebhookEvents(executor: Executor, before: Date, limit: number): Promise<number> {
  const gone = await rows(
    executor,
    `DELETE FROM webhook_events WHERE (app_id, webhook_id, event_id) IN (
       SELECT app_id, webhook_id, event_id FROM webhook_events WHERE created_at < $1 ORDER BY created_at LIMIT $2
     )
     RETURNING 1`,
    [before, limit],
  );
  return gone.length;
}
