import type { WebhookEventType } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';
import { type Webhook, WEBHOOK_COLUMNS, type WebhookKey } from './webhook';

/** One webhook, or null. */
export async function findWebhook(executor: Executor, { appId, webhookId }: WebhookKey): Promise<Webhook | null> {
  const [found] = await rows<Webhook>(
    executor,
    `SELECT ${WEBHOOK_COLUMNS} FROM webhooks WHERE app_id = $1 AND webhook_id = $2`,
    [appId, webhookId],
  );
  return found ?? null;
}

/** An application's webhooks, oldest first. */
export async function listWebhooks(executor: Executor, appId: string): Promise<Webhook[]> {
  return rows<Webhook>(
    executor,
    `SELECT ${WEBHOOK_COLUMNS} FROM webhooks WHERE app_id = $1 ORDER BY created_at, webhook_id`,
    [appId],
  );
}

/** What an application's enabled webhooks ask for, all together. */
export async function findAskedEvents(executor: Executor, appId: string): Promise<WebhookEventType[]> {
  const asked = await rows<{ type: WebhookEventType }>(
    executor,
    `SELECT DISTINCT unnest(events) AS type FROM webhooks WHERE app_id = $1 AND is_enabled`,
    [appId],
  );
  return asked.map(({ type }) => type);
}

/** How an application's webhooks get on. */
export interface WebhookCounts {
  webhooks: number;
  /** Enabled, and their last attempt failed. */
  failing: number;
  disabled: number;
  /** Events that were not taken yet. */
  waiting: number;
}

/** Counts an application's webhooks, and up to 10,000 of the events that wait. */
export async function countFailingWebhooks(executor: Executor, appId: string): Promise<WebhookCounts> {
  const [counts] = await rows<WebhookCounts>(
    executor,
    `SELECT count(*)::int AS webhooks, (count(*) FILTER (WHERE is_enabled AND failures > 0))::int AS failing,
       (count(*) FILTER (WHERE NOT is_enabled))::int AS disabled,
       (SELECT count(*)::int FROM (
         SELECT 1 FROM webhook_events WHERE app_id = $1 AND wake_at IS NOT NULL LIMIT 10000
       ) counted) AS waiting
     FROM webhooks WHERE app_id = $1`,
    [appId],
  );
  return counts ?? { webhooks: 0, failing: 0, disabled: 0, waiting: 0 };
}

/**
 * Webhooks with something to send now, at most `limit`. Asked webhook by webhook, so that one with a million events that
 * must wait costs no more than another.
 */
export async function findDueWebhooks(executor: Executor, now: Date, limit: number): Promise<WebhookKey[]> {
  return rows<WebhookKey>(
    executor,
    `SELECT w.app_id AS "appId", w.webhook_id AS "webhookId" FROM webhooks w
     WHERE w.is_enabled AND (w.held_until IS NULL OR w.held_until <= $1) AND EXISTS (
       SELECT 1 FROM webhook_events e
       WHERE e.app_id = w.app_id AND e.webhook_id = w.webhook_id AND e.wake_at <= $1
     )
     LIMIT $2`,
    [now, limit],
  );
}
