import type { JsonObject, MessageContent, MessageKind } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';

/** Which messages may have been for a user: those that name him, or those that name nobody and went to a group. */
export type MessagesOfUser = 'named' | 'groups';

/** SQL over alias `m`; `$2` is the user's id. */
export const MESSAGES_OF_USER: Record<MessagesOfUser, string> = {
  named: 'm.user_ids @> ARRAY[$2::text]',
  groups: '$2::text IS NOT NULL AND m.user_ids IS NULL',
};

/** A message, and what became of it on a user's devices. */
export interface UserMessage {
  id: string;
  kind: MessageKind;
  channel: string;
  content: MessageContent;
  acceptedAt: Date;
  deliveries: JsonObject[];
  /** The SMS that went, or was to go, in its place. */
  fallback: JsonObject | null;
}

/** A stretch of messages: which, behind which id, and how many. */
export interface MessageStretch {
  which: MessagesOfUser;
  afterId: string;
  limit: number;
}

/**
 * Messages that may have been for a user, oldest first, with the deliveries to his devices; of a device that was another
 * user's only what was sent since he has it.
 */
export async function readUserMessages(
  executor: Executor,
  appId: string,
  userId: string,
  { which, afterId, limit }: MessageStretch,
): Promise<UserMessage[]> {
  return rows<UserMessage>(
    executor,
    `SELECT m.id, m.kind, m.channel, m.content, m.accepted_at AS "acceptedAt", (
       SELECT coalesce(jsonb_agg(jsonb_build_object('installationId', i.installation_id, 'state', d.state,
         'vendor', d.vendor, 'errorCode', d.error_code, 'reason', d.reason, 'promoCode', d.promo_code,
         'createdAt', d.created_at, 'sentAt', d.sent_at, 'deliveredAt', d.delivered_at, 'shownAt', d.shown_at,
         'openedAt', d.opened_at, 'dismissedAt', d.dismissed_at) ORDER BY d.device_id), '[]')
       FROM installations i
       JOIN deliveries d ON d.app_id = $1 AND d.message_id = m.id AND d.device_id = i.id
       WHERE i.app_id = $1 AND i.user_id = $2 AND i.user_since <= m.accepted_at
     ) AS deliveries, (
       SELECT jsonb_build_object('state', f.state, 'phone', f.phone, 'provider', f.provider, 'sentAt', f.sent_at)
       FROM fallbacks f WHERE f.app_id = $1 AND f.message_id = m.id AND f.user_id = $2
     ) AS fallback
     FROM messages m
     WHERE m.app_id = $1 AND m.id > $3::uuid AND ${MESSAGES_OF_USER[which]}
     ORDER BY m.id LIMIT $4`,
    [appId, userId, afterId, limit],
  );
}
