import type { WebhookEventType } from '@postrider/domain';

/** Names one webhook. */
export interface WebhookKey {
  appId: string;
  webhookId: string;
}

/** A webhook as it is stored, with how it gets on. `sealed` opens under the context `webhook:<appId>:<webhookId>`. */
export interface Webhook extends WebhookKey {
  url: string;
  events: WebhookEventType[];
  sealed: Buffer;
  isEnabled: boolean;
  /** Why it was switched off when nobody asked for that. */
  disabledReason: string | null;
  /** How many attempts failed since the last that did not. */
  failures: number;
  failingSince: Date | null;
  /** Nothing is sent before. */
  heldUntil: Date | null;
  lastError: string | null;
  lastErrorAt: Date | null;
  lastSuccessAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

/** The columns of a `Webhook`, for a query's list. */
export const WEBHOOK_COLUMNS = `app_id AS "appId", webhook_id AS "webhookId", url, events, sealed, is_enabled AS "isEnabled",
  disabled_reason AS "disabledReason", failures, failing_since AS "failingSince", held_until AS "heldUntil",
  last_error AS "lastError", last_error_at AS "lastErrorAt", last_success_at AS "lastSuccessAt", created_at AS "createdAt",
  updated_at AS "updatedAt"`;
