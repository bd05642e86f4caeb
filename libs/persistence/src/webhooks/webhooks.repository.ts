import { Inject, Injectable } from '@nestjs/common';
import type { WebhookEventType } from '@postrider/domain';
import { DATABASE, type Database, inTransaction, rows } from '../database/executor';
import { parameter, sql } from '../sql';
import { dueWebhooks } from '../due-work/due-rows';

/** Names one webhook. */
export interface WebhookKey {
  appId: string;
  webhookId: string;
}

/** A webhook as it is stored, with its health. `sealed` opens by `openWebhookSecrets`. */
export interface Webhook extends WebhookKey {
  url: string;
  events: WebhookEventType[];
  sealed: Buffer;
  isEnabled: boolean;
  /** Why it was switched off automatically. */
  disabledReason: string | null;
  /** How many attempts failed since the last success. */
  failures: number;
  failingSince: Date | null;
  /** Nothing is sent before this time. */
  heldUntil: Date | null;
  lastError: string | null;
  lastErrorAt: Date | null;
  lastSuccessAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

const COLUMNS = sql`app_id AS "appId", webhook_id AS "webhookId", url, events, sealed, is_enabled AS "isEnabled",
  disabled_reason AS "disabledReason", failures, failing_since AS "failingSince", held_until AS "heldUntil",
  last_error AS "lastError", last_error_at AS "lastErrorAt", last_success_at AS "lastSuccessAt", created_at AS "createdAt",
  updated_at AS "updatedAt"`;

/** Events that one statement deletes. */
const EVENTS_AT_ONCE = 5_000;
/** Before every event. */
const FIRST_EVENT = '00000000-0000-0000-0000-000000000000';

/** The values of a new webhook. */
interface NewWebhook extends WebhookKey {
  url: string;
  events: readonly WebhookEventType[];
  sealed: Buffer;
  isEnabled: boolean;
  createdAt: Date;
}

/** The changes. Null: unchanged. */
interface WebhookChange {
  url: string | null;
  events: readonly WebhookEventType[] | null;
  isEnabled: boolean | null;
}

/** The counts of an application's webhooks. */
export interface WebhookCounts {
  webhooks: number;
  /** Enabled, and their last attempt failed. */
  failing: number;
  disabled: number;
  /** Events that were not accepted yet. */
  waiting: number;
}

/** The webhooks of applications, and the health of each. */
@Injectable()
export class WebhooksRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * Adds a webhook. It locks the row of the application, so that two inserts at once count each other.
   *
   * @returns null if the application has `limit` of them
   */
  async insert(webhook: NewWebhook, limit: number): Promise<Webhook | null> {
    const { appId, webhookId, url, events, sealed, isEnabled, createdAt } = webhook;
    const [app, at] = [parameter(appId), parameter(createdAt)];
    return inTransaction(this.database, async (executor) => {
      await rows(executor, sql`SELECT 1 FROM applications WHERE app_id = ${app} FOR NO KEY UPDATE`);
      const [made] = await rows<Webhook>(
        executor,
        sql`INSERT INTO webhooks (app_id, webhook_id, url, events, sealed, is_enabled, created_at, updated_at)
            SELECT ${app}, ${webhookId}, ${url}, ${events}::text[], ${sealed}, ${isEnabled}, ${at}, ${at}
            WHERE (SELECT count(*) FROM webhooks WHERE app_id = ${app}) < ${limit}
            RETURNING ${COLUMNS}`,
      );
      return made ?? null;
    });
  }

  /**
   * Changes a webhook. With another address, and when it is switched on, it starts anew: no failures, not held.
   *
   * @returns null if it does not exist
   */
  async update(
    { appId, webhookId }: WebhookKey,
    { url, events, isEnabled }: WebhookChange,
    now: Date,
  ): Promise<Webhook | null> {
    const newUrl = parameter(url);
    const isOn = parameter(isEnabled);
    const [changed] = await rows<Webhook>(
      this.database,
      sql`UPDATE webhooks
          SET url = coalesce(${newUrl}, url), events = coalesce(${events}::text[], events),
            is_enabled = coalesce(${isOn}, is_enabled),
            disabled_reason = CASE WHEN ${isOn} IS NULL THEN disabled_reason END,
            failures = CASE WHEN ${isOn} OR ${newUrl} <> url THEN 0 ELSE failures END,
            failing_since = CASE WHEN ${isOn} OR ${newUrl} <> url THEN NULL ELSE failing_since END,
            held_until = CASE WHEN ${isOn} OR ${newUrl} <> url THEN NULL ELSE held_until END,
            updated_at = ${now}
          WHERE app_id = ${appId} AND webhook_id = ${webhookId}
          RETURNING ${COLUMNS}`,
    );
    return changed ?? null;
  }

  /**
   * Replaces the sealed secrets of a webhook. It locks the row first, so that of two changes at once each gets what the
   * other one made.
   *
   * @param change gets the present ones
   * @returns what is stored now; null if the webhook does not exist
   */
  async changeSealed(
    { appId, webhookId }: WebhookKey,
    change: (sealed: Buffer) => Buffer,
    now: Date,
  ): Promise<Buffer | null> {
    const [app, id] = [parameter(appId), parameter(webhookId)];
    return inTransaction(this.database, async (executor) => {
      const [found] = await rows<Pick<Webhook, 'sealed'>>(
        executor,
        sql`SELECT sealed FROM webhooks WHERE app_id = ${app} AND webhook_id = ${id} FOR NO KEY UPDATE`,
      );
      if (found === undefined) return null;
      const sealed = change(found.sealed);
      await rows(
        executor,
        sql`UPDATE webhooks SET sealed = ${sealed}, updated_at = ${now} WHERE app_id = ${app} AND webhook_id = ${id}`,
      );
      return sealed;
    });
  }

  /** Sends nothing to a webhook until then, because of a fault of ours, not of its receiver. */
  async hold(
    { appId, webhookId }: WebhookKey,
    { until, error, now }: { until: Date; error: string; now: Date },
  ): Promise<void> {
    await rows(
      this.database,
      sql`UPDATE webhooks SET held_until = ${until}, last_error = ${error}, last_error_at = ${now}
          WHERE app_id = ${appId} AND webhook_id = ${webhookId}`,
    );
  }

  /**
   * Deletes a webhook, its events and its log. There may be millions of them, so it is switched off first, and its events
   * are deleted in steps: no statement reaches its time limit, and whoever writes an event waits for one step at most. If
   * it stops in the middle, the webhook is switched off, and the next call continues.
   *
   * @returns true if it existed
   */
  async delete(key: WebhookKey): Promise<boolean> {
    const [app, webhook] = [parameter(key.appId), parameter(key.webhookId)];
    const off = sql`UPDATE webhooks SET is_enabled = false WHERE app_id = ${app} AND webhook_id = ${webhook} RETURNING 1`;
    if ((await rows(this.database, off)).length === 0) return false;
    for (let after: string | null = FIRST_EVENT; after !== null;) after = await this.#deleteEvents(key, after);
    const gone = await rows(
      this.database,
      sql`DELETE FROM webhooks WHERE app_id = ${app} AND webhook_id = ${webhook} RETURNING 1`,
    );
    return gone.length > 0;
  }

  /** @returns the last of the deleted events, behind which the next step begins; null if this was the last step */
  async #deleteEvents({ appId, webhookId }: WebhookKey, after: string): Promise<string | null> {
    const [app, webhook, most] = [parameter(appId), parameter(webhookId), parameter(EVENTS_AT_ONCE)];
    const [last] = await rows<{ eventId: string }>(
      this.database,
      sql`WITH step AS MATERIALIZED (
            SELECT event_id FROM webhook_events
            WHERE app_id = ${app} AND webhook_id = ${webhook} AND event_id > ${after}::uuid ORDER BY event_id LIMIT ${most}
          ), gone AS (
            DELETE FROM webhook_events
            WHERE app_id = ${app} AND webhook_id = ${webhook} AND event_id = ANY (ARRAY(SELECT event_id FROM step))
          )
          SELECT event_id AS "eventId" FROM step ORDER BY event_id OFFSET ${most} - 1`,
    );
    return last?.eventId ?? null;
  }

  /** Finds one webhook, or null. */
  async find({ appId, webhookId }: WebhookKey): Promise<Webhook | null> {
    const [found] = await rows<Webhook>(
      this.database,
      sql`SELECT ${COLUMNS} FROM webhooks WHERE app_id = ${appId} AND webhook_id = ${webhookId}`,
    );
    return found ?? null;
  }

  /** An application's webhooks, oldest first. */
  async list(appId: string): Promise<Webhook[]> {
    return rows<Webhook>(
      this.database,
      sql`SELECT ${COLUMNS} FROM webhooks WHERE app_id = ${appId} ORDER BY created_at, webhook_id`,
    );
  }

  /** Finds the event types that an application's enabled webhooks ask for. */
  async findAskedEvents(appId: string): Promise<WebhookEventType[]> {
    const asked = await rows<{ type: WebhookEventType }>(
      this.database,
      sql`SELECT DISTINCT unnest(events) AS type FROM webhooks WHERE app_id = ${appId} AND is_enabled`,
    );
    return asked.map(({ type }) => type);
  }

  /** Counts an application's webhooks, and up to 10,000 of the waiting events. */
  async count(appId: string): Promise<WebhookCounts> {
    const app = parameter(appId);
    const [counts] = await rows<WebhookCounts>(
      this.database,
      sql`SELECT count(*)::int AS webhooks, (count(*) FILTER (WHERE is_enabled AND failures > 0))::int AS failing,
            (count(*) FILTER (WHERE NOT is_enabled))::int AS disabled,
            (SELECT count(*)::int FROM (
              SELECT 1 FROM webhook_events WHERE app_id = ${app} AND wake_at IS NOT NULL LIMIT 10000
            ) counted) AS waiting
          FROM webhooks WHERE app_id = ${app}`,
    );
    return counts ?? { webhooks: 0, failing: 0, disabled: 0, waiting: 0 };
  }

  /**
   * Finds webhooks that have something to send now, at most `limit`. It checks each webhook by itself, so that one with
   * a million waiting events costs no more than another.
   */
  async findDue(now: Date, limit: number): Promise<WebhookKey[]> {
    return rows<WebhookKey>(
      this.database,
      sql`SELECT w.app_id AS "appId", w.webhook_id AS "webhookId" ${dueWebhooks(now)} LIMIT ${limit}`,
    );
  }
}
