import type { JsonObject, MessageContent, MessageKind, MessageStatus } from '@postrider/domain';

/** A message as it can be read afterwards. */
export interface MessageRecord {
  id: string;
  kind: MessageKind;
  isCampaign: boolean;
  /** `sending` as soon as a page was begun. */
  status: MessageStatus;
  count: string;
  /** Devices on pages so far: all of them once `resolvedAt` is set. */
  recipients: string;
  audience: JsonObject;
  userIds: string[] | null;
  channel: string;
  content: MessageContent;
  trackId: string | null;
  clientId: string | null;
  batchId: string | null;
  acceptedAt: Date;
  expiresAt: Date;
  resolvedAt: Date | null;
  cancelledAt: Date | null;
  doneAt: Date | null;
  rate: number | null;
  /** When the message is sent; with `localTime` the first moment at which it is. */
  sendAt: Date | null;
  /** What a clock on the wall shows when a device gets it: ISO 8601 without an offset. */
  localTime: string | null;
  ignoreQuietHours: boolean;
}

/**
 * The select list that gives a `MessageRecord` from `messages m`. Pages are asked for message by message: as `EXISTS`, PostgreSQL
 * may find all begun pages of all messages first.
 */
export const MESSAGE_COLUMNS = `m.id, m.kind, m.is_campaign AS "isCampaign", m.count, m.recipients, m.audience,
  m.user_ids AS "userIds", m.channel, m.content, m.track_id AS "trackId", m.client_id AS "clientId",
  m.batch_id AS "batchId", m.accepted_at AS "acceptedAt", m.expires_at AS "expiresAt", m.resolved_at AS "resolvedAt",
  m.cancelled_at AS "cancelledAt", m.done_at AS "doneAt",
  m.rate, m.send_at AS "sendAt", to_char(m.local_time, 'YYYY-MM-DD"T"HH24:MI:SS') AS "localTime",
  m.ignore_quiet_hours AS "ignoreQuietHours",
  CASE WHEN m.status = 'accepted' AND (
    SELECT true FROM pages p WHERE p.app_id = m.app_id AND p.message_id = m.id AND p.fence > 0 LIMIT 1
  ) THEN 'sending' ELSE m.status END AS status`;
