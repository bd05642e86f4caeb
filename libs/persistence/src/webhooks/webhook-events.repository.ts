import { Inject, Injectable } from '@nestjs/common';
import type { JsonObject, WebhookEventType } from '@postrider/domain';
import { deleteOldRows } from '../database/delete-old-rows';
import { DATABASE, type Database, type Executor, rows } from '../database/executor';
import { parameter, sql } from '../sql';
import { UNLESS_DELETED } from './event-inserts';
import { type DevicesOfMessage, insertFailedEvents } from './failed-events';
import {
  recordDeliveredStatement,
  recordFailedStatement,
  type WebhookAttempt,
  type WebhookPatience,
  type WebhookPenalty,
  type WebhookResult,
} from './record-attempt.statement';
import type { WebhookKey } from './webhooks.repository';

/** Something that happened in an application. */
interface NewWebhookEvent {
  appId: string;
  type: WebhookEventType;
  data: JsonObject;
}

/** An event that the caller alone is to send now. */
export interface ClaimedWebhookEvent {
  eventId: string;
  type: WebhookEventType;
  data: JsonObject;
  createdAt: Date;
  deadlineAt: Date;
  /** The result counts while this is the newest attempt. */
  attempt: number;
  /** How often it was tried, including this time, since it was written or sent again by hand. */
  tries: number;
}

/** How many events to claim, and for how long. */
interface ClaimOptions {
  now: Date;
  leaseUntil: Date;
  limit: number;
  /** After this many failures in a row one event is sent at a time. */
  failuresForOne: number;
}

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
  /** With the data that was sent, if it was asked for. */
  data?: JsonObject;
}

/** Which of a webhook's events to read: those before a place, newest first. */
interface WebhookEventFilter {
  state: WebhookEventState | null;
  before: { createdAt: string; eventId: string } | null;
  limit: number;
}

const COLUMNS = sql`event_id AS "eventId", type, state, tries, attempts, wake_at AS "nextTryAt", created_at AS "createdAt",
  ended_at AS "endedAt"`;

/** The events of webhooks: the outbox from which workers send, and the log for owners. */
@Injectable()
export class WebhookEventsRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * Writes an event for each enabled webhook of its application that asks for its type; nothing if none does. It runs
   * in the transaction of the event itself, so that neither exists without the other. A worker sends it about a second
   * after the commit.
   */
  async record(executor: Executor, events: readonly NewWebhookEvent[]): Promise<void> {
    if (events.length === 0) return;
    await rows(
      executor,
      sql`INSERT INTO webhook_events (app_id, webhook_id, type, data)
          SELECT w.app_id, w.webhook_id, e.type, e.data
          FROM json_to_recordset(${JSON.stringify(events)}::json) AS e ("appId" text, type text, data json)
          JOIN webhooks w ON w.app_id = e."appId" AND w.is_enabled AND e.type = ANY (w.events) ${UNLESS_DELETED}`,
    );
  }

  /**
   * Writes one event for each page with the devices that its message failed to reach, or none, for webhooks that ask
   * for it. In the transaction that settles the pages, so that each device is reported once.
   */
  recordFailedDeliveries(executor: Executor, pages: readonly DevicesOfMessage[]): Promise<void> {
    return insertFailedEvents(executor, pages);
  }

  /**
   * Claims up to `limit` events of a webhook that are due, or whose sender's lease is over. It claims one alone while
   * the webhook keeps failing, and none while it is held or switched off.
   */
  async claim(
    { appId, webhookId }: WebhookKey,
    { now, leaseUntil, limit, failuresForOne }: ClaimOptions,
  ): Promise<ClaimedWebhookEvent[]> {
    const app = parameter(appId);
    const webhook = parameter(webhookId);
    const moment = parameter(now);
    return rows<ClaimedWebhookEvent>(
      this.database,
      sql`
        WITH due AS MATERIALIZED (
          SELECT e.event_id FROM webhooks w
          JOIN webhook_events e ON e.app_id = w.app_id AND e.webhook_id = w.webhook_id
          WHERE w.app_id = ${app} AND w.webhook_id = ${webhook} AND w.is_enabled
            AND (w.held_until IS NULL OR w.held_until <= ${moment})
            AND e.app_id = ${app} AND e.webhook_id = ${webhook} AND e.wake_at <= ${moment}
          ORDER BY e.wake_at, e.event_id
          LIMIT (SELECT CASE WHEN failures >= ${failuresForOne} THEN 1 ELSE ${limit}::int END FROM webhooks
            WHERE app_id = ${app} AND webhook_id = ${webhook})
          FOR UPDATE OF e SKIP LOCKED
        )
        UPDATE webhook_events e
        SET state = 'sending', attempt = e.attempt + 1, tries = e.tries + 1, wake_at = ${leaseUntil}
        WHERE e.app_id = ${app} AND e.webhook_id = ${webhook} AND e.event_id = ANY (ARRAY(SELECT event_id FROM due))
        RETURNING e.event_id AS "eventId", e.type, e.data, e.created_at AS "createdAt", e.deadline_at AS "deadlineAt", e.attempt,
          e.tries`,
    );
  }

  /**
   * Records an attempt at an event and the new state of the webhook, in one statement. The result counts for the event
   * while the attempt is its newest one; it counts for the webhook while that has the address that was called.
   *
   * @returns `isOpen`: more may be sent to the webhook now; `isSwitchedOff`: this attempt switched it off; null if it is
   * gone, or its call failed and it is off already or has another address
   */
  async recordAttempt(
    attempt: WebhookAttempt,
    result: WebhookResult,
    penalty: WebhookPenalty,
    patience: WebhookPatience & { now: Date },
  ): Promise<{ isOpen: boolean; isSwitchedOff: boolean } | null> {
    const recorded =
      result.state === 'delivered'
        ? recordDeliveredStatement(attempt, result, patience.now)
        : recordFailedStatement(attempt, result, penalty, patience);
    const [webhook] = await rows<{ isOpen: boolean; isSwitchedOff: boolean }>(this.database, recorded);
    return webhook ?? null;
  }

  /** A webhook's events, newest first. */
  async list(
    { appId, webhookId }: WebhookKey,
    { state, before, limit }: WebhookEventFilter,
  ): Promise<(WebhookEventRecord & { place: string })[]> {
    const wanted = parameter(state);
    const place = parameter(before?.createdAt ?? null);
    return rows<WebhookEventRecord & { place: string }>(
      this.database,
      sql`SELECT ${COLUMNS}, created_at::text AS place FROM webhook_events
          WHERE app_id = ${appId} AND webhook_id = ${webhookId} AND (${wanted}::text IS NULL OR state = ${wanted})
            AND (${place}::timestamptz IS NULL
              OR (created_at, event_id) < (${place}, ${before?.eventId ?? null}::uuid))
          ORDER BY created_at DESC, event_id DESC LIMIT ${limit}`,
    );
  }

  /** Finds one event with its data, or null. */
  async find({ appId, webhookId }: WebhookKey, eventId: string): Promise<WebhookEventRecord | null> {
    const [found] = await rows<WebhookEventRecord>(
      this.database,
      sql`SELECT ${COLUMNS}, data FROM webhook_events
          WHERE app_id = ${appId} AND webhook_id = ${webhookId} AND event_id = ${eventId}`,
    );
    return found ?? null;
  }

  /**
   * Makes an event due now, as if it had just been written, under its old id. An event that is being sent at this
   * moment does not change.
   *
   * @returns `again`; `busy` if it is being sent; null if it does not exist
   */
  async sendAgain({ appId, webhookId }: WebhookKey, eventId: string, now: Date): Promise<'again' | 'busy' | null> {
    const app = parameter(appId);
    const webhook = parameter(webhookId);
    const event = parameter(eventId);
    const moment = parameter(now);
    const [found] = await rows<{ isAgain: boolean }>(
      this.database,
      sql`WITH asked AS (
            SELECT event_id FROM webhook_events WHERE app_id = ${app} AND webhook_id = ${webhook} AND event_id = ${event}
          ), again AS (
            UPDATE webhook_events
            SET state = 'waiting', tries = 0, wake_at = ${moment}, deadline_at = ${moment}::timestamptz + interval '1 day',
              ended_at = NULL
            WHERE app_id = ${app} AND webhook_id = ${webhook} AND event_id = ${event}
              AND (state <> 'sending' OR wake_at <= ${moment})
            RETURNING 1
          )
          SELECT EXISTS (SELECT 1 FROM again) AS "isAgain" FROM asked`,
    );
    if (found === undefined) return null;
    return found.isAgain ? 'again' : 'busy';
  }

  /**
   * Writes an event for one webhook, whatever types it asks for. @returns its id, or null if there is no such webhook
   */
  async insertTest({ appId, webhookId }: WebhookKey, type: string, data: JsonObject): Promise<string | null> {
    const [made] = await rows<{ eventId: string }>(
      this.database,
      sql`INSERT INTO webhook_events (app_id, webhook_id, type, data)
          SELECT w.app_id, w.webhook_id, ${type}, ${JSON.stringify(data)}::json FROM webhooks w
          WHERE w.app_id = ${appId} AND w.webhook_id = ${webhookId} ${UNLESS_DELETED}
          RETURNING event_id AS "eventId"`,
    );
    return made?.eventId ?? null;
  }

  /**
   * Deletes up to `limit` events that were written before `before`, sent or not. @returns the number of deleted events
   */
  deleteOld(before: Date, limit: number): Promise<number> {
    const table = { table: sql`webhook_events`, key: sql`app_id, webhook_id, event_id`, at: sql`created_at` };
    return deleteOldRows(this.database, table, before, limit);
  }
}
