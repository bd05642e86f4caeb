import { parameter, sql, type Sql } from '../sql';

/**
 * What maintenance tasks look for: `FROM` and `WHERE` of the rows that are due at `now`. The statement that finds the rows has them
 * from here, and so has the look at all of them together (`DueWorkRepository`).
 */

/** Pages that no worker holds, and whose job may be lost. */
export function duePages(now: Date): Sql {
  return sql`FROM pages WHERE wake_at <= ${now} AND vendor <> 'connection'`;
}

/** Pages of devices whose own connection gets them from now on. */
export function dueConnectionPages(now: Date): Sql {
  return sql`FROM pages WHERE wake_at <= ${now} AND vendor = 'connection' AND state = 'waiting'`;
}

/** Pages that edges have had for too long. */
export function latePages(routedBefore: Date): Sql {
  return sql`FROM pages WHERE edge_id IS NOT NULL AND created_at <= ${routedBefore}`;
}

/** Deliveries with a row of their own that an edge has had for too long. */
export function lateDeliveries(routedBefore: Date): Sql {
  return sql`FROM deliveries WHERE edge_id IS NOT NULL AND created_at <= ${routedBefore}`;
}

/** Both of the above. */
export function lateOnConnections(routedBefore: Date): Sql {
  return sql`FROM (SELECT ${latePages(routedBefore)} UNION ALL SELECT ${lateDeliveries(routedBefore)}) late`;
}

/** Messages that are not resolved or not ended, and that no worker has. */
export function dueMessages(now: Date): Sql {
  return sql`FROM messages WHERE wake_at <= ${now}`;
}

/** Those of them that are cancelled. */
export function dueCancelledMessages(now: Date): Sql {
  return sql`${dueMessages(now)} AND status = 'cancelled'`;
}

/** Messages that are over, and that devices may still wait for. */
export function endedWaits(now: Date): Sql {
  return sql`FROM messages WHERE inbox_ends_at <= ${now}`;
}

/** Campaigns whose winner is to be chosen. */
export function dueCampaignTests(now: Date): Sql {
  return sql`FROM messages WHERE winner_due_at <= ${now}`;
}

/** Fallbacks that no worker has, and whose job may be lost. */
export function dueFallbacks(now: Date): Sql {
  return sql`FROM fallbacks WHERE wake_at <= ${now}`;
}

/** Uploaded files of one kind that do not progress, or that are to be forgotten. @param jobs their table */
export function dueFiles(jobs: Sql, now: Date): Sql {
  return sql`FROM ${jobs} WHERE wake_at <= ${now}`;
}

/** Promo sets whose upload or import does not progress, and old ones that are to be cleared. */
export function duePromoSets(now: Date): Sql {
  return sql`FROM promo_sets WHERE wake_at <= ${now}`;
}

/** Webhooks with events to send. */
export function dueWebhooks(at: Date): Sql {
  const now = parameter(at);
  return sql`FROM webhooks w WHERE w.is_enabled AND (w.held_until IS NULL OR w.held_until <= ${now}) AND EXISTS (
    SELECT FROM webhook_events e WHERE e.app_id = w.app_id AND e.webhook_id = w.webhook_id AND e.wake_at <= ${now}
  )`;
}

/** Vendors with tokens that are to be switched off. */
export function dueDeadTokens(now: Date): Sql {
  return sql`FROM vendor_troubles t WHERE t.quarantined_since IS NULL AND EXISTS (
    SELECT FROM quarantined_tokens q WHERE q.app_id = t.app_id AND q.vendor = t.vendor AND q.due_at <= ${now}
  )`;
}

/** Segments whose size is to be measured. */
export function dueSegments(now: Date): Sql {
  return sql`FROM segments WHERE measure_at <= ${now}`;
}

/** Applications that require a proof of the user since later than `since`. */
export function latelyGuarded(since: Date): Sql {
  return sql`FROM applications WHERE require_user_hash AND user_hash_required_at > ${since}`;
}

/** Applications whose quiet hours have changed. */
export const QUIET_CHANGES = sql`FROM applications WHERE quiet_hours_changed_at IS NOT NULL`;

/**
 * Erasures that nobody has extended for half of the minute that one holds: they belong to dead processes. Nobody writes for their
 * users until the minute is over.
 */
export const INTERRUPTED_ERASURES = sql`FROM erasures WHERE ends_at < clock_timestamp() + interval '30 seconds'`;

/** Removals of applications that no process carries out, or whose process is dead. */
export const INTERRUPTED_REMOVALS = sql`FROM applications WHERE removal_until < clock_timestamp()`;
