import type { Channel } from '@postrider/domain';
import type { Executor } from '../database/executor';
import { preparedRows } from '../database/prepared-rows';

/** What is to be kept of a session; `subscriptions` null: nothing, it ends. */
export interface KeptSession {
  appId: string;
  deviceId: string;
  userId: string;
  subscriptions: Readonly<Record<string, number>> | null;
  /** The channels among them, beside the default ones. */
  channels: readonly Channel[];
}

/** Keeps sessions as they are now, or ends them, all in one statement. One of a device that is gone is left out. */
export async function saveSessions(executor: Executor, sessions: readonly KeptSession[], now: Date): Promise<void> {
  await preparedRows(executor, SAVE_SESSIONS, [
    sessions.map(({ appId }) => appId),
    sessions.map(({ deviceId }) => deviceId),
    sessions.map(({ userId }) => userId),
    sessions.map(({ subscriptions }) => (subscriptions === null ? null : JSON.stringify(subscriptions))),
    sessions.map(({ channels }) => JSON.stringify(channels)),
    now,
  ]);
}

const SAVE_SESSIONS = `
  WITH asked AS (
    SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[])
      AS a (app_id, id, user_id, subscriptions, channels)
  ), ended AS (
    DELETE FROM connection_sessions s USING asked a
    WHERE a.subscriptions IS NULL AND s.app_id = a.app_id AND s.id = a.id
  )
  INSERT INTO connection_sessions (app_id, id, user_id, subscriptions, channels, updated_at)
  SELECT a.app_id, a.id, a.user_id, a.subscriptions::jsonb, ARRAY(SELECT jsonb_array_elements_text(a.channels::jsonb)), $6
  FROM asked a JOIN installations i ON i.app_id = a.app_id AND i.id = a.id AND i.user_id = a.user_id
  WHERE a.subscriptions IS NOT NULL
  ORDER BY a.app_id, a.id
  ON CONFLICT (app_id, id) DO UPDATE
  SET user_id = excluded.user_id, subscriptions = excluded.subscriptions, channels = excluded.channels, expires_at = NULL, in_flight = NULL,
    updated_at = excluded.updated_at`;
