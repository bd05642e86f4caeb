import type { JsonObject, WebhookEventType } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';
import type { WebhookKey } from './webhook';

/** An event that the caller alone is to send now. */
export interface ClaimedWebhookEvent {
  eventId: string;
  type: WebhookEventType;
  data: JsonObject;
  createdAt: Date;
  deadlineAt: Date;
  /** What came of it counts while this is its newest attempt. */
  attempt: number;
  /** How often it was tried, this time included, since it was written or sent again by hand. */
  tries: number;
}

/**
 * Claims up to `limit` of a webhook's events that are due, or whose sender's lease is over; one alone while the webhook keeps
 * failing, and none while it is held or switched off.
 */
export async function claimWebhookEvents(
  executor: Executor,
  { appId, webhookId }: WebhookKey,
  { now, leaseUntil, limit, failuresForOne }: ClaimOptions,
): Promise<ClaimedWebhookEvent[]> {
  return rows<ClaimedWebhookEvent>(executor, CLAIM, [appId, webhookId, now, leaseUntil, limit, failuresForOne]);
}

/** How much to claim, and for how long. */
export interface ClaimOptions {
  now: Date;
  leaseUntil: Date;
  limit: number;
  /** After so many failures in a row one event is sent at a time. */
  failuresForOne: number;
}

const CLAIM = `
  WITH due AS MATERIALIZED (
    SELECT e.event_id FROM webhooks w
    JOIN webhook_events e ON e.app_id = w.app_id AND e.webhook_id = w.webhook_id
    WHERE w.app_id = $1 AND w.webhook_id = $2 AND w.is_enabled AND (w.held_until IS NULL OR w.held_until <= $3)
      AND e.app_id = $1 AND e.webhook_id = $2 AND e.wake_at <= $3
    ORDER BY e.wake_at, e.event_id
    LIMIT (SELECT CASE WHEN failures >= $6 THEN 1 ELSE $5::int END FROM webhooks WHERE app_id = $1 AND webhook_id = $2)
    FOR UPDATE OF e SKIP LOCKED
  )
  UPDATE webhook_events e
  SET state = 'sending', attempt = e.attempt + 1, tries = e.tries + 1, wake_at = $4
  WHERE e.app_id = $1 AND e.webhook_id = $2 AND e.event_id = ANY (ARRAY(SELECT event_id FROM due))
  RETURNING e.event_id AS "eventId", e.type, e.data, e.created_at AS "createdAt", e.deadline_at AS "deadlineAt", e.attempt,
    e.tries`;
