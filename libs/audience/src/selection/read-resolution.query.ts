import {
  type Channel,
  type JsonObject,
  lastCallAt,
  type MessageContent,
  type MessageKind,
  reachOf,
} from '@postrider/domain';
import { type Executor, rows } from '@postrider/persistence';
import type { AudienceSelection } from './audience-selection';
import { inboxEndsAt } from './inbox-ends-at';
import type { SliceRequest } from './resolution';

/** A message whose audience is not yet wholly resolved, and the next stretch of installations to look at. */
export interface Resolution {
  selection: AudienceSelection;
  /** Installations up to here are resolved. */
  from: string;
  /** The last installation of the next stretch. */
  to: string;
  /** The last installation there was when the message was accepted. */
  ceiling: string;
  /** Whether the message's last call is over: nothing of it is sent any more. */
  isExpired: boolean;
  /** Until when deliveries may wait for a connection. */
  inboxEndsAt: Date;
}

interface ResolutionRow {
  kind: MessageKind;
  content: MessageContent;
  audience: { target?: JsonObject; segment?: JsonObject; everyone?: boolean };
  channel: Channel;
  acceptedAt: Date;
  expiresAt: Date;
  from: string;
  to: string;
  ceiling: string;
}

/** @returns null when there is nothing to resolve */
export async function readResolution(executor: Executor, request: SliceRequest): Promise<Resolution | null> {
  const { appId, messageId, windowSize, now } = request;
  const [row] = await rows<ResolutionRow>(executor, READ_RESOLUTION, [appId, messageId, windowSize]);
  if (!row) return null;
  const { audience, channel, acceptedAt, expiresAt, from, to, ceiling } = row;
  const who: AudienceSelection['who'] = audience.everyone
    ? { kind: 'everyone' }
    : { kind: 'rules', target: audience.target, segment: audience.segment };
  const reach = reachOf(row.kind, row.content);
  const isExpired = now.getTime() >= lastCallAt(acceptedAt.getTime(), expiresAt.getTime());
  return {
    selection: { appId, acceptedAt, channel, who, reach },
    from,
    to,
    ceiling,
    isExpired,
    inboxEndsAt: inboxEndsAt(reach, acceptedAt, expiresAt),
  };
}

/** The walk to the end of the stretch reads the primary key alone. */
const READ_RESOLUTION = `
  SELECT m.kind, m.content, m.audience, m.channel, m.accepted_at AS "acceptedAt", m.expires_at AS "expiresAt",
    m.resolved_through::text AS from, m.resolve_ceiling::text AS ceiling,
    coalesce((
      SELECT i.id FROM installations i
      WHERE i.app_id = $1 AND i.id > m.resolved_through AND i.id <= m.resolve_ceiling
      ORDER BY i.id OFFSET $3::integer - 1 LIMIT 1
    ), m.resolve_ceiling)::text AS to
  FROM messages m
  WHERE m.app_id = $1 AND m.id = $2 AND m.status = 'accepted' AND m.resolved_at IS NULL`;
