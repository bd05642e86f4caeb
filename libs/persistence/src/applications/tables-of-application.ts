import { identifier, joined, parameter, sql, type Sql } from '../sql';

/** The tables that hold many rows of an application, and the key of a row beside `app_id`. */
const KEYS = {
  // First, so that no import makes more devices.
  device_imports: ['job_id'],
  promo_assignments: ['message_id', 'user_id'],
  promo_codes: ['set_id', 'number'],
  promo_chunks: ['set_id', 'number'],
  fallbacks: ['message_id', 'user_id'],
  webhook_events: ['webhook_id', 'event_id'],
  quarantined_tokens: ['vendor', 'device_id'],
  token_answers: ['vendor', 'hour'],
  route_states: ['vendor', 'worker_id'],
  delivery_clicks: ['message_id', 'device_id', 'kind', 'name_key'],
  message_counts: ['message_id', 'kind', 'name_key', 'hour', 'platform'],
  conversions: ['message_id', 'device_id', 'at', 'name'],
  inbox_marks: ['device_id', 'message_id'],
  reported_events: ['user_id', 'digest', 'day'],
  tracker_visitors: ['tracker_id', 'day', 'visitor'],
  deferred_links: ['token_key'],
  deliveries: ['message_id', 'device_id'],
  delivery_packs: ['message_id', 'span', 'id'],
  pages: ['message_id', 'id'],
  messages: ['id'],
  presence: ['id'],
  former_owners: ['id'],
  hand_overs: ['id'],
  installations: ['id'],
  removed_tokens: ['id'],
  user_contacts: ['user_id'],
  users: ['user_id'],
} as const;

/** A table that is emptied in steps before its application goes. */
export type TableOfApplication = keyof typeof KEYS;

/** In the order in which they are emptied. */
export const TABLES_OF_APPLICATION = Object.keys(KEYS) as TableOfApplication[];

/** Deletes up to `limit` rows of an application from one table, and counts them as `gone`. */
export function deleteSomeRows(some: { appId: string; table: TableOfApplication; limit: number }): Sql {
  const appId = parameter(some.appId);
  const table = identifier(some.table);
  const keys = joined(KEYS[some.table].map(identifier), ', ');
  return sql`
    WITH doomed AS (
      DELETE FROM ${table} WHERE app_id = ${appId}
        AND (${keys}) IN (SELECT ${keys} FROM ${table} WHERE app_id = ${appId} LIMIT ${some.limit})
      RETURNING 1
    )
    SELECT count(*) AS gone FROM doomed`;
}
