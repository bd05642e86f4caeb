import { parameter, type Sql, sql } from '../sql';
import type { WebhookKey } from './webhooks.repository';

/** One attempt at sending one event. */
export interface WebhookAttempt extends WebhookKey {
  eventId: string;
  attempt: number;
  /** The address that was called. What it answers says nothing about another one, which the webhook may have by now. */
  url: string;
}

/** The result of an attempt. */
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
  /** Nothing is sent before this time: the receiver asked for a pause. */
  heldUntil: Date | null;
  /** True if the receiver wants no more events. */
  isGone: boolean;
}

/** When a webhook is held, and when it is switched off. */
export interface WebhookPatience {
  /** From this many failures in a row on, each further one holds the webhook, */
  failuresForHold: number;
  /** for this long, doubled with each failure, */
  firstHoldMs: number;
  /** up to this maximum. */
  longestHoldMs: number;
  /** A webhook that has failed for this long is switched off. */
  disableAfterMs: number;
}

/** Adds an entry to the log of event `e`, which keeps the last 20 attempts. */
function withAttempt({ startedAt, statusCode, durationMs, error }: WebhookResult): Sql {
  const entry = JSON.stringify({ at: startedAt.toISOString(), statusCode, durationMs, error });
  return sql`jsonb_path_query_array(e.attempts || ${entry}::jsonb, '$[last - 19 to last]')`;
}

/** A condition: the event `e` still has `attempt` as its newest one. */
function isNewest({ appId, webhookId, eventId, attempt }: WebhookAttempt): Sql {
  return sql`e.app_id = ${appId} AND e.webhook_id = ${webhookId} AND e.event_id = ${eventId} AND e.attempt = ${attempt}
    AND e.state = 'sending'`;
}

/**
 * Records that the receiver accepted an event. The row of a working webhook is not written with every event. Nothing is
 * claimed while a hold is in force, so it began while this event was under way, and stays: the receiver may have asked
 * for the pause.
 */
export function recordDeliveredStatement(attempt: WebhookAttempt, result: WebhookResult, now: Date): Sql {
  const [app, webhook, moment] = [parameter(attempt.appId), parameter(attempt.webhookId), parameter(now)];
  return sql`
    WITH recorded AS (
      UPDATE webhook_events e
      SET state = 'delivered', wake_at = NULL, ended_at = ${moment}, attempts = ${withAttempt(result)}
      WHERE ${isNewest(attempt)}
    ), healed AS (
      UPDATE webhooks SET failures = 0, failing_since = NULL, last_success_at = ${moment},
        held_until = CASE WHEN held_until > ${moment} THEN held_until END
      WHERE app_id = ${app} AND webhook_id = ${webhook} AND url = ${attempt.url}
        AND (failures > 0 OR last_success_at IS NULL OR last_success_at < ${moment}::timestamptz - interval '5 seconds')
    )
    SELECT is_enabled AND (held_until IS NULL OR held_until <= ${moment}) AS "isOpen", false AS "isSwitchedOff" FROM webhooks
    WHERE app_id = ${app} AND webhook_id = ${webhook}`;
}

/**
 * Records a failed attempt, and holds the webhook or switches it off when it has failed too often or for too long. A webhook that is
 * switched off already stays as it is, so of several attempts that fail at the same time, one switches it off. An attempt that began
 * before a hold ends adds nothing to it: it was under way when the hold began, and says the same as the attempts that led to it.
 *
 * The row of the webhook is locked by its update only. If the statement locked it before that, attempts that fail while events are
 * written, which share a lock of the row, would wait for each other in a circle (`deadlock detected`).
 */
export function recordFailedStatement(
  attempt: WebhookAttempt,
  result: WebhookResult,
  { heldUntil, isGone }: WebhookPenalty,
  patience: WebhookPatience & { now: Date },
): Sql {
  const moment = parameter(patience.now);
  const [state, error] = [parameter(result.state), parameter(result.error)];
  const [gone, failuresForHold] = [parameter(isGone), parameter(patience.failuresForHold, 'int')];
  const failures = sql`(w.failures + CASE WHEN w.held_until > ${parameter(result.startedAt)}::timestamptz THEN 0 ELSE 1 END)`;
  const isGivenUp = sql`coalesce(${gone} OR w.failing_since < ${moment}::timestamptz
    - ${parameter(patience.disableAfterMs, 'float8')} * interval '1 millisecond', false)`;
  return sql`
    WITH recorded AS (
      UPDATE webhook_events e
      SET state = ${state}, wake_at = ${result.wakeAt},
        ended_at = CASE WHEN ${state} = 'failed' THEN ${moment}::timestamptz END, attempts = ${withAttempt(result)}
      WHERE ${isNewest(attempt)}
    )
    UPDATE webhooks w
    SET failures = ${failures}, failing_since = coalesce(w.failing_since, ${moment}), last_error = ${error},
      last_error_at = ${moment},
      held_until = greatest(w.held_until, ${heldUntil}::timestamptz,
        CASE WHEN ${failures} > w.failures AND ${failures} >= ${failuresForHold} THEN ${moment}::timestamptz
          + least(${patience.firstHoldMs}::float8 * 2 ^ least(${failures} - ${failuresForHold}, 30),
            ${patience.longestHoldMs}::float8) * interval '1 millisecond' END),
      is_enabled = NOT ${isGivenUp},
      disabled_reason = CASE WHEN ${isGivenUp} THEN CASE WHEN ${gone} THEN
        'The receiver answered 410: it wants no more events' ELSE 'Every attempt failed for days; the last one: ' || ${error} END
        ELSE w.disabled_reason END
    WHERE w.app_id = ${attempt.appId} AND w.webhook_id = ${attempt.webhookId} AND w.url = ${attempt.url} AND w.is_enabled
    RETURNING w.is_enabled AND (w.held_until IS NULL OR w.held_until <= ${moment}) AS "isOpen", NOT w.is_enabled AS "isSwitchedOff"`;
}
