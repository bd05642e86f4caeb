import type { MessageContent, MessageKind, MessageStatus } from '@postrider/domain';
import type { Executor } from '../database/executor';
import { preparedRows } from '../database/prepared-rows';

/** A message as an edge needs it. */
export interface MessageToPublish {
  appId: string;
  id: string;
  kind: MessageKind;
  channel: string;
  status: MessageStatus;
  /** Whether its audience are named users. */
  isToNamedUsers: boolean;
  acceptedAt: Date;
  /** Of a scheduled message when it was to be sent, else as `acceptedAt`. */
  startsAt: Date;
  expiresAt: Date;
  /** Null for a message that the caller knows. */
  content: MessageContent | null;
  applicationName: string;
  defaultAlertText: string;
}

/** Reads messages by id; the content only of those that are not `known`: it does not change, their status does. */
export async function findMessagesToPublish(
  executor: Executor,
  messages: readonly { appId: string; messageId: string; isKnown: boolean }[],
): Promise<MessageToPublish[]> {
  return preparedRows<MessageToPublish>(executor, FIND_MESSAGES, [
    messages.map(({ appId }) => appId),
    messages.map(({ messageId }) => messageId),
    messages.map(({ isKnown }) => isKnown),
  ]);
}

const FIND_MESSAGES = `
  SELECT m.app_id AS "appId", m.id, m.kind, m.channel, m.status, m.user_ids IS NOT NULL AS "isToNamedUsers",
    m.accepted_at AS "acceptedAt",
    coalesce(m.send_at, m.accepted_at) AS "startsAt", m.expires_at AS "expiresAt", CASE WHEN NOT asked.is_known THEN m.content END AS content,
    a.name AS "applicationName", a.default_alert_text AS "defaultAlertText"
  FROM unnest($1::text[], $2::uuid[], $3::boolean[]) AS asked (app_id, id, is_known)
  CROSS JOIN LATERAL (SELECT * FROM messages WHERE app_id = asked.app_id AND id = asked.id LIMIT 1) m
  JOIN applications a ON a.app_id = m.app_id`;
