import type { MessageContent, MessageKind, MessageStatus } from '@postrider/domain';
import { byDay } from '../partitions/ledger-day';
import { sql, type Sql } from '../sql';
import type { MessageKey } from '../partitions/message-key';

/** A message as an edge needs it. */
export interface MessageToPublish {
  appId: string;
  id: string;
  kind: MessageKind;
  channel: string;
  status: MessageStatus;
  /** True if its audience are named users. */
  isToNamedUsers: boolean;
  /** When it was accepted; of a scheduled message the time at which it was to be sent. */
  startsAt: Date;
  expiresAt: Date;
  /** Null for a message that the caller knows. */
  content: MessageContent | null;
  /** The variant that was chosen as the best. Null or left out: none. */
  winner?: string | null;
  applicationName: string;
  defaultAlertText: string;
}

/** A message to read; `isKnown`: without its content, which does not change. */
export type AskedToPublish = MessageKey & { isKnown: boolean };

/**
 * Reads messages by id, of any application, as `MessageToPublish`s. Those of one day, as nearly always, are read in its
 * partition: PostgreSQL takes twice as long to get all days ready as to read a message.
 */
export function messagesToPublishStatement(asked: readonly AskedToPublish[]): Sql {
  const [first, ...others] = byDay(asked);
  const messages = first && others.length === 0 ? first[0].messages : sql`messages`;
  const appIds = asked.map(({ appId }) => appId);
  const messageIds = asked.map(({ messageId }) => messageId);
  const knownOnes = asked.map(({ isKnown }) => isKnown);
  return sql`SELECT m.app_id AS "appId", m.id, m.kind, m.channel, m.status, m.user_ids IS NOT NULL AS "isToNamedUsers",
      coalesce(m.send_at, m.accepted_at) AS "startsAt", m.expires_at AS "expiresAt",
      CASE WHEN NOT asked.is_known THEN m.content END AS content, m.winner_variant AS winner,
      a.name AS "applicationName", a.default_alert_text AS "defaultAlertText"
    FROM unnest(${appIds}::text[], ${messageIds}::uuid[], ${knownOnes}::boolean[]) AS asked (app_id, id, is_known)
    CROSS JOIN LATERAL (SELECT * FROM ${messages} WHERE app_id = asked.app_id AND id = asked.id LIMIT 1) m
    JOIN applications a ON a.app_id = m.app_id`;
}
