import type { JsonObject, WebhookEventType } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';
import type { WebhookKey } from './webhook';

/** The states of an event. */
export type WebhookEventState = 'waiting' | 'sending' | 'delivered' | 'failed';

/** One entry of a webhook's log. */
export interface WebhookEventRecord {
  eventId: string;
  type: WebhookEventType;
  state: WebhookEventState;
  tries: number;
  attempts: { at: string; statusCode: number | null; durationMs: number; error: string | null }[];
  nextTryAt: Date | null;
  createdAt: Date;
  endedAt: Date | null;
  /** With what was sent, when it was asked for. */
  data?: JsonObject;
}

/** Which of a webhook's events to read: those before a place, newest first. */
export interface WebhookEventFilter {
  state: WebhookEventState | null;
  before: { createdAt: string; eventId: string } | null;
  limit: number;
}

const COLUMNS = `event_id AS "eventId", type, state, tries, attempts, wake_at AS "nextTryAt", created_at AS "createdAt",
  ended_at AS "endedAt"`;

/** A webhook's events, newest first. */
export async function listWebhookEvents(
  executor: Executor,
  { appId, webhookId }: WebhookKey,
  { state, before, limit }: WebhookEventFilter,
): Promise<(WebhookEventRecord & { place: string })[]> {
  return rows<WebhookEventRecord & { place: string }>(
    executor,
    `SELECT ${COLUMNS}, created_at::text AS place FROM webhook_events
     WHERE app_id = $1 AND webhook_id = $2 AND ($3::text IS NULL OR state = $3)
       AND ($4::timestamptz IS NULL OR (created_at, event_id) < ($4, $5::uuid))
     ORDER BY created_at DESC, event_id DESC LIMIT $6`,
    [appId, webhookId, state, before?.createdAt ?? null, before?.eventId ?? null, limit],
  );
}

/** One event with its data, or null. */
export async function findWebhookEvent(
  executor: Executor,
  { appId, webhookId }: WebhookKey,
  eventId: string,
): Promise<WebhookEventRecord | null> {
  const [found] = await rows<WebhookEventRecord>(
    executor,
    `SELECT ${COLUMNS}, data FROM webhook_events WHERE app_id = $1 AND webhook_id = $2 AND event_id = $3`,
    [appId, webhookId, eventId],
  );
  return found ?? null;
}
