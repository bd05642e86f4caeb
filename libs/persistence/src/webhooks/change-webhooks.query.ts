import type { WebhookEventType } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';
import { type Webhook, WEBHOOK_COLUMNS, type WebhookKey } from './webhook';

/** What a webhook is made of. */
export interface NewWebhook extends WebhookKey {
  url: string;
  events: readonly WebhookEventType[];
  sealed: Buffer;
  isEnabled: boolean;
  createdAt: Date;
}

/**
 * Keeps a webhook. The lock on the application's row makes two at once count each other.
 *
 * @returns null when the application has `limit` of them
 */
export async function insertWebhook(executor: Executor, webhook: NewWebhook, limit: number): Promise<Webhook | null> {
  const { appId, webhookId, url, events, sealed, isEnabled, createdAt } = webhook;
  await rows(executor, `SELECT 1 FROM applications WHERE app_id = $1 FOR NO KEY UPDATE`, [appId]);
  const [made] = await rows<Webhook>(
    executor,
    `INSERT INTO webhooks (app_id, webhook_id, url, events, sealed, is_enabled, created_at, updated_at)
     SELECT $1, $2, $3, $4::text[], $5, $6, $7, $7
     WHERE (SELECT count(*) FROM webhooks WHERE app_id = $1) < $8
     RETURNING ${WEBHOOK_COLUMNS}`,
    [appId, webhookId, url, events, sealed, isEnabled, createdAt, limit],
  );
  return made ?? null;
}

/** What is to be changed; null: left as it is. */
export interface WebhookChange {
  url: string | null;
  events: readonly WebhookEventType[] | null;
  isEnabled: boolean | null;
  sealed: Buffer | null;
}

/**
 * Changes a webhook. With another address, and when it is switched on, it starts anew: no failures, not held.
 *
 * @returns null when there is none
 */
export async function updateWebhook(
  executor: Executor,
  { appId, webhookId }: WebhookKey,
  { url, events, isEnabled, sealed }: WebhookChange,
  now: Date,
): Promise<Webhook | null> {
  const [changed] = await rows<Webhook>(
    executor,
    `UPDATE webhooks
     SET url = coalesce($3, url), events = coalesce($4::text[], events), is_enabled = coalesce($5, is_enabled),
       sealed = coalesce($6, sealed),
       disabled_reason = CASE WHEN $5 IS NULL THEN disabled_reason END,
       failures = CASE WHEN $5 OR $3 <> url THEN 0 ELSE failures END,
       failing_since = CASE WHEN $5 OR $3 <> url THEN NULL ELSE failing_since END,
       held_until = CASE WHEN $5 OR $3 <> url THEN NULL ELSE held_until END,
       updated_at = $7
     WHERE app_id = $1 AND webhook_id = $2
     RETURNING ${WEBHOOK_COLUMNS}`,
    [appId, webhookId, url, events, isEnabled, sealed, now],
  );
  return changed ?? null;
}

/** Sends nothing to a webhook until then, for a fault that is ours and not its receiver's. */
export async function holdWebhook(
  executor: Executor,
  { appId, webhookId }: WebhookKey,
  { until, error, now }: { until: Date; error: string; now: Date },
): Promise<void> {
  await rows(
    executor,
    `UPDATE webhooks SET held_until = $3, last_error = $4, last_error_at = $5 WHERE app_id = $1 AND webhook_id = $2`,
    [appId, webhookId, until, error, now],
  );
}

/** Forgets a webhook, its events and its log. @returns whether there was one */
export async function deleteWebhook(executor: Executor, { appId, webhookId }: WebhookKey): Promise<boolean> {
  const gone = await rows(executor, `DELETE FROM webhooks WHERE app_id = $1 AND webhook_id = $2 RETURNING 1`, [
    appId,
    webhookId,
  ]);
  return gone.length > 0;
}
