import type { CredentialVendor, DeliveryVendor, JsonObject, WebhookEventType } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';

/** Names one application at one vendor. */
export interface VendorKey {
  appId: string;
  vendor: DeliveryVendor | CredentialVendor;
}

/** What holds for one application at one vendor, whichever worker looks. */
export interface VendorTrouble {
  /** Since when its credentials are refused, or calls fail; the later of the two. */
  troubledSince: Date | null;
  /** When the operator asked to try again at once. */
  retryAskedAt: Date | null;
  /** Until when the operator believes the vendor about dead tokens. */
  trustedUntil: Date | null;
  /** Whether any tokens are called dead and not switched off (yet). */
  hasDeadTokens: boolean;
  /** The revision of the credentials that the vendor has taken something with. */
  workedRevision: string | null;
}

/** What is known of an application at a vendor; null when nothing was ever wrong. */
export async function findVendorTrouble(
  executor: Executor,
  { appId, vendor }: VendorKey,
): Promise<VendorTrouble | null> {
  const [found] = await rows<VendorTrouble>(
    executor,
    `SELECT greatest(credentials_failing_since, breaker_open_since) AS "troubledSince", retry_asked_at AS "retryAskedAt",
       trusted_until AS "trustedUntil",
       EXISTS (SELECT 1 FROM quarantined_tokens WHERE app_id = $1 AND vendor = $2) AS "hasDeadTokens",
       worked_revision AS "workedRevision"
     FROM vendor_troubles WHERE app_id = $1 AND vendor = $2`,
    [appId, vendor],
  );
  return found ?? null;
}

/** Why a route is held. */
export interface HoldReport extends VendorKey {
  code: string;
  reason: string;
  /** Of the credentials in use. */
  revision: string | null;
}

/**
 * Notes that a vendor refuses an application's credentials, and tells the webhooks that ask for it. Once for each time that
 * trouble with the same credentials begins, however many workers notice. Credentials that were changed meanwhile are no news.
 *
 * @returns whether this is the first that is heard of it
 */
export async function reportFailingCredentials(executor: Executor, hold: HoldReport, now: Date): Promise<boolean> {
  const { appId, vendor, code, reason, revision } = hold;
  const told = await rows(
    executor,
    `WITH begun AS (
       INSERT INTO vendor_troubles AS t (app_id, vendor, credentials_failing_since, credentials_code, credentials_reason,
         credentials_revision)
       SELECT a.app_id, $2, $5, $3, $4, $6 FROM applications a
       WHERE a.app_id = $1 AND $6::bigint IS NOT DISTINCT FROM (
         SELECT c.revision FROM vendor_credentials c WHERE c.app_id = $1 AND c.vendor = $2
       )
       ON CONFLICT (app_id, vendor) DO UPDATE
       SET credentials_failing_since = $5, credentials_code = $3, credentials_reason = $4, credentials_revision = $6
       WHERE t.credentials_failing_since IS NULL OR t.credentials_revision IS DISTINCT FROM $6::bigint
       RETURNING app_id
     ), told AS (${tell(7, 'begun')})
     SELECT 1 FROM begun`,
    [appId, vendor, code, reason, now, revision, ...eventOf('vendor.credentials_failing', hold, now)],
  );
  return told.length > 0;
}

/**
 * Notes that calls of an application to a vendor fail, and tells the webhooks that ask for it. Once an outage, however many
 * workers notice.
 *
 * @returns whether this is the first that is heard of it
 */
export async function reportOpenBreaker(executor: Executor, hold: HoldReport, now: Date): Promise<boolean> {
  const { appId, vendor, code, reason } = hold;
  const told = await rows(
    executor,
    `WITH begun AS (
       INSERT INTO vendor_troubles AS t (app_id, vendor, breaker_open_since, breaker_code, breaker_reason)
       SELECT app_id, $2, $5, $3, $4 FROM applications WHERE app_id = $1
       ON CONFLICT (app_id, vendor) DO UPDATE SET breaker_open_since = $5, breaker_code = $3, breaker_reason = $4
       WHERE t.breaker_open_since IS NULL
       RETURNING app_id
     ), told AS (${tell(6, 'begun')})
     SELECT 1 FROM begun`,
    [appId, vendor, code, reason, now, ...eventOf('vendor.breaker_opened', hold, now)],
  );
  return told.length > 0;
}

/** Notes that a vendor took something with these credentials: whatever was wrong before is over. */
export async function reportWorkingRoute(
  executor: Executor,
  { appId, vendor }: VendorKey,
  revision: string | null,
): Promise<void> {
  await rows(
    executor,
    `INSERT INTO vendor_troubles (app_id, vendor, worked_revision)
     SELECT app_id, $2, $3 FROM applications WHERE app_id = $1
     ON CONFLICT (app_id, vendor) DO UPDATE SET worked_revision = excluded.worked_revision, ${ALL_IS_WELL}`,
    [appId, vendor, revision],
  );
}

/** Forgets what was wrong, since the credentials have changed. */
export async function forgetVendorTrouble(executor: Executor, { appId, vendor }: VendorKey): Promise<void> {
  await rows(executor, `UPDATE vendor_troubles SET ${ALL_IS_WELL} WHERE app_id = $1 AND vendor = $2`, [appId, vendor]);
}

/** Has every worker try a held route again at once. */
export async function askForRetry(executor: Executor, { appId, vendor }: VendorKey, now: Date): Promise<void> {
  await rows(
    executor,
    `INSERT INTO vendor_troubles (app_id, vendor, retry_asked_at) VALUES ($1, $2, $3)
     ON CONFLICT (app_id, vendor) DO UPDATE SET retry_asked_at = excluded.retry_asked_at`,
    [appId, vendor, now],
  );
}

const ALL_IS_WELL = `credentials_failing_since = NULL, credentials_code = NULL, credentials_reason = NULL,
  credentials_revision = NULL, breaker_open_since = NULL, breaker_code = NULL, breaker_reason = NULL`;

/** Type and data of an event as two parameters from `first` on; one for each row of `table`. */
function tell(first: number, table: string): string {
  return `INSERT INTO webhook_events (app_id, webhook_id, type, data)
    SELECT w.app_id, w.webhook_id, $${first}, $${first + 1}::json
    FROM ${table} JOIN webhooks w ON w.app_id = ${table}.app_id AND w.is_enabled AND $${first} = ANY (w.events)`;
}

function eventOf(type: WebhookEventType, { vendor, code, reason }: HoldReport, now: Date): [string, string] {
  const data: JsonObject = { vendor, code, reason, since: now.toISOString() };
  return [type, JSON.stringify(data)];
}
