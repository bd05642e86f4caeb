import {
  deliveryStateRank,
  type Lane,
  type MessageContent,
  type MessageKind,
  type MessageStatus,
  type PushVendor,
} from '@postrider/domain';
import { CLAIM_MARK } from '../devices/hand-overs.repository';
import { isMeantForOwner } from '../devices/meant-for';
import { parameter, sql, type Sql } from '../sql';
import type { PageKey } from './page-key';

/** A device of a page, as it is now. Every field but `id` is null when the installation is gone. */
export interface PageDevice {
  id: number;
  installationId: string | null;
  userId: string | null;
  deviceType: string | null;
  locale: string | null;
  /** The token, if it is usable and of the page's vendor. */
  token: string | null;
  /** As PostgreSQL writes it, to the microsecond: compared with what is stored before a token is switched off. */
  tokenRegisteredAt: string | null;
  /** Whether somebody else took the device after the message was accepted. */
  hasChangedHands: boolean | null;
  /** Whether it has proved its user, or need not. Left out: it has. */
  isProved?: boolean | null;
  /** Whether it uses the own connection too. Left out: no. */
  usesConnection?: boolean | null;
}

/** A page that is now the caller's own, with everything needed to work it. */
export interface ClaimedPage {
  vendor: PushVendor;
  lane: Lane;
  fence: number;
  /** How many workers were lost while they had it in hand. */
  losses: number;
  attempt: number;
  isUnanswered: boolean;
  firstAttemptAt: Date;
  /** The page's devices that have no outcome yet, in the page's order. */
  devices: PageDevice[];
  kind: MessageKind;
  content: MessageContent;
  status: MessageStatus;
  channel: string;
  /** When the message was accepted; of a scheduled one, when it was to be sent. */
  acceptedAt: Date;
  expiresAt: Date;
  applicationName: string;
  defaultAlertText: string;
  /** What becomes of users for whom no promo code is left. */
  promoExhausted: 'send_without' | 'skip';
}

/** Who claims, and until when. */
export interface Claim {
  leasedBy: string;
  now: Date;
  leaseUntil: Date;
  /** Whether the caller works on nothing else at the same time. Left out: no. */
  isAlone?: boolean;
}

/** A page that lost so many workers is worked with no other page beside it, so that no other is blamed for the next. */
export const ALONE_AFTER_LOSSES = 2;
/** One that lost a worker then as well is not worked again. */
export const PARKED_AFTER_LOSSES = 3;

/** How many workers a page `p` has lost. Who ends orderly, gives a page up or finishes it, leaves no name on it. */
export const LOSSES = sql`(p.losses + CASE WHEN p.leased_by IS NULL THEN 0 ELSE 1 END)`;

/**
 * The statement that claims a page; a row of it is a `ClaimedPage`. The lookups by device are written as LATERAL and as a scalar
 * so that no statistics can turn them into scans.
 */
export function claimPageStatement(page: PageKey, claim: Claim): Sql {
  const [appId, messageId] = [parameter(page.appId), parameter(page.messageId)];
  const [now, aloneAfter] = [parameter(claim.now), parameter(ALONE_AFTER_LOSSES, 'integer')];
  const pending = parameter(deliveryStateRank('pending'), 'smallint');
  const changedHands = sql`NOT ${isMeantForOwner({ installation: sql`i`, users: sql`page.user_ids`, since: sql`page.resolved_from` })}`;
  return sql`${CLAIM_MARK}
  WITH page AS (
    UPDATE pages p
    SET state = 'running', fence = p.fence + 1, leased_by = ${claim.leasedBy}, wake_at = ${claim.leaseUntil},
      first_attempt_at = coalesce(p.first_attempt_at, ${now}), losses = ${LOSSES}
    FROM messages m
    WHERE p.app_id = ${appId} AND p.message_id = ${messageId} AND p.id = ${page.pageId} AND m.app_id = ${appId} AND m.id = ${messageId}
      AND (p.state = 'waiting' OR (p.state = 'running' AND p.wake_at <= ${now}))
      AND (((p.not_before IS NULL OR p.not_before <= ${now}) AND (NOT p.is_steered OR p.admitted_fence = p.fence))
        OR coalesce(p.expires_at, m.expires_at) <= ${now} OR m.status = 'cancelled')
      AND (${claim.isAlone ?? false} OR ${LOSSES} <> ${aloneAfter})
    RETURNING p.vendor, p.lane, p.fence, p.losses, p.attempt, p.is_unanswered, p.first_attempt_at, p.device_ids,
      m.kind, m.content, m.status, m.channel, m.user_ids, coalesce(m.send_at, m.accepted_at) AS resolved_from,
      coalesce(p.starts_at, m.send_at, m.accepted_at) AS accepted_at, coalesce(p.expires_at, m.expires_at) AS expires_at
  )
  SELECT page.vendor, page.lane, page.fence, page.losses, page.attempt, page.is_unanswered AS "isUnanswered",
    page.first_attempt_at AS "firstAttemptAt", page.kind, page.content, page.status, page.channel,
    page.accepted_at AS "acceptedAt", page.expires_at AS "expiresAt",
    a.name AS "applicationName", a.default_alert_text AS "defaultAlertText",
    a.promo_exhausted AS "promoExhausted",
    coalesce(devices.list, '[]') AS devices
  FROM page
  JOIN applications a ON a.app_id = ${appId}
  CROSS JOIN LATERAL (
    SELECT json_agg(json_build_object(
      'id', member.id, 'installationId', i.installation_id, 'userId', i.user_id, 'deviceType', i.device_type,
      'locale', i.locale, 'token', CASE WHEN i.usable_vendor = page.vendor THEN i.token END,
      'tokenRegisteredAt', i.token_registered_at, 'hasChangedHands', ${changedHands},
      'isProved', i.user_proof >= a.least_proof,
      'usesConnection', i.uses_connection
    ) ORDER BY member.place) AS list
    FROM unnest(page.device_ids) WITH ORDINALITY AS member (id, place)
    LEFT JOIN LATERAL (
      SELECT * FROM installations WHERE app_id = ${appId} AND id = member.id LIMIT 1
    ) i ON true
    WHERE (page.fence = 1 AND page.attempt = 1) OR coalesce((
      SELECT d.rank FROM deliveries d WHERE d.app_id = ${appId} AND d.message_id = ${messageId} AND d.device_id = member.id
    ), ${pending}) = ${pending}
  ) devices`;
}
