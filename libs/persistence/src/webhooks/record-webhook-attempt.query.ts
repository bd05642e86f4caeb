import { type Executor, rows } from '../database/executor';
import type { WebhookKey } from './webhook';

/** One attempt at sending one event. */
export interface WebhookAttempt extends WebhookKey {
  eventId: string;
  attempt: number;
}

/** What came of it. */
export interface WebhookResult {
  state: 'waiting' | 'delivered' | 'failed';
  startedAt: Date;
  durationMs: number;
  statusCode: number | null;
  error: string | null;
  /** When it is tried again. */
  wakeAt: Date | null;
}

/** What a failed attempt means for the webhook as a whole. */
export interface WebhookPenalty {
  /** Nothing is sent before: the receiver asked for a pause. */
  heldUntil: Date | null;
  /** The receiver wants no more. */
  isGone: boolean;
}

/** When a webhook is held, and when it is switched off. */
export interface WebhookPatience {
  /** After so many failures in a row each further one holds it, */
  failuresForHold: number;
  /** for so long, doubled with each, */
  firstHoldMs: number;
  /** up to this. */
  longestHoldMs: number;
  /** A webhook that has failed for so long is switched off. */
  disableAfterMs: number;
}

/**
 * Records an attempt at an event and how the webhook gets on, in one statement. The attempt counts while it is the event's
 * newest one; what it says of the webhook counts always.
 *
 * @returns whether more may be sent to the webhook now; null when it is gone
 */
export async function recordWebhookAttempt(
  executor: Executor,
  { appId, webhookId, eventId, attempt }: WebhookAttempt,
  { state, startedAt, durationMs, statusCode, error, wakeAt }: WebhookResult,
  penalty: WebhookPenalty,
  patience: WebhookPatience & { now: Date },
): Promise<{ isOpen: boolean; isEnabled: boolean } | null> {
  const entry = { at: startedAt.toISOString(), statusCode, durationMs, error };
  const [webhook] = await rows<{ isOpen: boolean; isEnabled: boolean }>(
    executor,
    state === 'delivered' ? RECORD_SUCCESS : RECORD_FAILURE,
    state === 'delivered'
      ? [appId, webhookId, eventId, attempt, JSON.stringify(entry), patience.now]
      : [
          ...[appId, webhookId, eventId, attempt, JSON.stringify(entry), patience.now],
          ...[state, wakeAt, error, penalty.heldUntil, penalty.isGone],
          ...[patience.failuresForHold, patience.firstHoldMs, patience.longestHoldMs, patience.disableAfterMs],
        ],
  );
  return webhook ?? null;
}

/** The log keeps this many attempts of an event. */
const KEPT_ATTEMPTS = 20;
const WITH_ATTEMPT = `jsonb_path_query_array(e.attempts || $5::jsonb, '$[last - ${KEPT_ATTEMPTS - 1} to last]')`;

/** A webhook that works is not written with every event. */
const RECORD_SUCCESS = `
  WITH recorded AS (
    UPDATE webhook_events e
    SET state = 'delivered', wake_at = NULL, ended_at = $6, attempts = ${WITH_ATTEMPT}
    WHERE e.app_id = $1 AND e.webhook_id = $2 AND e.event_id = $3 AND e.attempt = $4 AND e.state = 'sending'
  ), healed AS (
    UPDATE webhooks SET failures = 0, failing_since = NULL, held_until = NULL, last_success_at = $6
    WHERE app_id = $1 AND webhook_id = $2
      AND (failures > 0 OR last_success_at IS NULL OR last_success_at < $6::timestamptz - interval '5 seconds')
  )
  SELECT is_enabled AS "isOpen", is_enabled AS "isEnabled" FROM webhooks WHERE app_id = $1 AND webhook_id = $2`;

const RECORD_FAILURE = `
  WITH recorded AS (
    UPDATE webhook_events e
    SET state = $7, wake_at = $8, ended_at = CASE WHEN $7 = 'failed' THEN $6::timestamptz END, attempts = ${WITH_ATTEMPT}
    WHERE e.app_id = $1 AND e.webhook_id = $2 AND e.event_id = $3 AND e.attempt = $4 AND e.state = 'sending'
  )
  UPDATE webhooks w
  SET failures = w.failures + 1, failing_since = coalesce(w.failing_since, $6), last_error = $9, last_error_at = $6,
    held_until = greatest(w.held_until, $10::timestamptz, CASE WHEN w.failures + 1 >= $12::int THEN $6::timestamptz
      + least($13::float8 * 2 ^ least(w.failures + 1 - $12::int, 30), $14::float8) * interval '1 millisecond' END),
    is_enabled = w.is_enabled AND NOT ${isGivenUp()},
    disabled_reason = CASE WHEN w.is_enabled AND ${isGivenUp()} THEN CASE WHEN $11 THEN
      'The receiver answered 410: it wants no more events' ELSE 'Every attempt failed for days; the last one: ' || $9 END
      ELSE w.disabled_reason END
  WHERE w.app_id = $1 AND w.webhook_id = $2
  RETURNING w.is_enabled AND (w.held_until IS NULL OR w.held_until <= $6) AS "isOpen", w.is_enabled AS "isEnabled"`;

function isGivenUp(): string {
  return `coalesce($11 OR w.failing_since < $6::timestamptz - $15::float8 * interval '1 millisecond', false)`;
}
