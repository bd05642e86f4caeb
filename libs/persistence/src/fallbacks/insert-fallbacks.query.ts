import type { Fallback } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';

/** The fallback of one message to named users. */
export interface NewFallbacks {
  appId: string;
  messageId: string;
  userIds: readonly string[];
  fallback: Fallback;
  acceptedAt: Date;
  expiresAt: Date;
}

/**
 * Writes a message's fallbacks, one for each user, whether he has devices or not. Goes into the transaction that accepts the
 * message. A fallback that would be due after the message's expiry is looked at when it expires.
 */
export async function insertFallbacks(executor: Executor, fallbacks: NewFallbacks): Promise<void> {
  const { appId, messageId, userIds, fallback, acceptedAt, expiresAt } = fallbacks;
  const dueAt = new Date(acceptedAt.getTime() + fallback.delaySeconds * 1_000);
  await rows(
    executor,
    `INSERT INTO fallbacks (app_id, message_id, user_id, policy, due_at, wake_at, created_at, updated_at)
     SELECT DISTINCT $1::text, $2::uuid, u.user_id COLLATE "C", $4::text, $5::timestamptz,
       least($5::timestamptz, $6::timestamptz), $7::timestamptz, $7::timestamptz
     FROM unnest($3::text[]) AS u (user_id)`,
    [appId, messageId, userIds, fallback.policy === undefined ? null : 'SHOWN', dueAt, expiresAt, acceptedAt],
  );
}
