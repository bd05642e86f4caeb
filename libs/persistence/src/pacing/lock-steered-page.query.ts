import type { Lane, QuietHours } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';
import type { PageKey } from '../pages/page-key';

/** A page that may be claimed once the gate lets it pass, with what decides that. */
export interface SteeredPage {
  lane: Lane;
  devices: number;
  turnAt: Date | null;
  turnIsCounted: boolean;
  /** From when to when it may be sent. */
  startsAt: Date;
  expiresAt: Date;
  rate: number | null;
  devicesPerSecond: number | null;
  /** Null: none, or none for this message. */
  quietHours: QuietHours | null;
  defaultTimeZone: string | null;
}

/**
 * Locks a steered page that waits and is due, or whose lease is over, in the caller's transaction.
 *
 * @returns null when there is no such page, or somebody else is at it
 */
export async function lockSteeredPage(executor: Executor, page: PageKey, now: Date): Promise<SteeredPage | null> {
  const [found] = await rows<SteeredPage>(executor, LOCK_STEERED_PAGE, [page.appId, page.messageId, page.pageId, now]);
  return found ?? null;
}

const LOCK_STEERED_PAGE = `
  SELECT p.lane, cardinality(p.device_ids) AS devices, p.turn_at AS "turnAt", p.turn_is_counted AS "turnIsCounted",
    coalesce(p.starts_at, m.send_at, m.accepted_at) AS "startsAt", coalesce(p.expires_at, m.expires_at) AS "expiresAt",
    m.rate, a.devices_per_second AS "devicesPerSecond",
    CASE WHEN NOT m.ignore_quiet_hours THEN a.quiet_hours END AS "quietHours", a.default_time_zone AS "defaultTimeZone"
  FROM pages p
  JOIN messages m ON m.app_id = $1 AND m.id = $2
  JOIN applications a ON a.app_id = $1
  WHERE p.app_id = $1 AND p.message_id = $2 AND p.id = $3 AND p.is_steered AND m.status = 'accepted'
    AND (p.state = 'waiting' OR (p.state = 'running' AND p.wake_at <= $4))
    AND (p.not_before IS NULL OR p.not_before <= $4)
  FOR NO KEY UPDATE OF p SKIP LOCKED`;
