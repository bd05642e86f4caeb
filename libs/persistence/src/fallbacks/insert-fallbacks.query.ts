import type { Fallback } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';

/** The fallback of one message to named users. */
export interface NewFallbacks {
  appId: string;
  messageId: string;
  userIds: readonly string[];
  fallback: Fallback;
  /** From when its delay counts. */
  acceptedAt: Date;
  expiresAt: Date;
  /** When it is due for users for whom that is not just its delay later. */
  dueAts?: Readonly<Record<string, Date>>;
}

/**
 * Writes the fallbacks of messages, one for each user, whether he has devices or not. Goes into the transaction that accepts
 * the messages. A fallback that would be due after its message's expiry is looked at when that expires.
 */
export async function insertFallbacks(executor: Executor, fallbacks: readonly NewFallbacks[]): Promise<void> {
  if (fallbacks.length === 0) return;
  const records = fallbacks.map(({ fallback, ...message }) => ({
    ...message,
    policy: fallback.policy === undefined ? null : 'SHOWN',
    dueAt: new Date(message.acceptedAt.getTime() + fallback.delaySeconds * 1_000),
  }));
  await rows(
    executor,
    `INSERT INTO fallbacks (app_id, message_id, user_id, policy, due_at, wake_at, created_at, updated_at)
     SELECT DISTINCT f."appId", f."messageId", u.user_id COLLATE "C", f.policy, due.at, least(due.at, f."expiresAt"),
       f."acceptedAt", f."acceptedAt"
     FROM json_to_recordset($1::json) AS f ("appId" text, "messageId" uuid, "userIds" text[], policy text,
       "dueAt" timestamptz, "expiresAt" timestamptz, "acceptedAt" timestamptz, "dueAts" jsonb)
     CROSS JOIN unnest(f."userIds") AS u (user_id)
     CROSS JOIN LATERAL (SELECT coalesce((f."dueAts" ->> u.user_id)::timestamptz, f."dueAt") AS at) due`,
    [JSON.stringify(records)],
  );
}
