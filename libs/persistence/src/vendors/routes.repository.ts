import { Inject, Injectable } from '@nestjs/common';
import type { CredentialVendor, DeliveryVendor, JsonObject, PushVendor } from '@postrider/domain';
import { DATABASE, type Database, rows } from '../database/executor';
import { rowsPlannedOnce } from '../database/prepared-rows';
import { inLockOrder, type PageKey } from '../partitions/message-key';
import { placedPages } from '../pages/claim-page.statement';
import type { DuePage } from '../pages/pages.repository';
import { byDay, type LedgerDay, rowsOfDay } from '../partitions/ledger-day';
import { parameter, sql } from '../sql';
import { insertVendorEvents } from '../webhooks/event-inserts';
import {
  healthOf,
  IS_HELD,
  type VendorHealth,
  type VendorHealthRow,
  vendorHealthStatement,
  type WorkerRouteRow,
  workerRoutesStatement,
} from './vendor-health';

/** Names one application at one vendor. */
export interface VendorKey {
  appId: string;
  vendor: DeliveryVendor | CredentialVendor;
}

/** The state of one application at one vendor that all workers share. */
export interface VendorTrouble {
  /** Since when its credentials are refused, or calls fail: the later of the two. */
  troubledSince: Date | null;
  /** When the operator asked to try again at once. */
  retryAskedAt: Date | null;
  /** Until when the operator trusts the vendor's answers about dead tokens. */
  trustedUntil: Date | null;
  /** True if any tokens are called dead and not switched off (yet). */
  hasDeadTokens: boolean;
  /** The revision of the credentials with which the vendor accepted something. */
  workedRevision: string | null;
}

/** Why a route is held. */
interface HoldReport extends VendorKey {
  code: string;
  reason: string;
  /** Revision of the credentials in use. */
  revision: string | null;
}

const NO_TROUBLE = sql`credentials_failing_since = NULL, credentials_code = NULL, credentials_reason = NULL,
  credentials_revision = NULL, breaker_open_since = NULL, breaker_code = NULL, breaker_reason = NULL`;

/** One worker's view of one application at one vendor. */
export interface RouteState {
  appId: string;
  vendor: DeliveryVendor | CredentialVendor;
  breaker: 'closed' | 'half-open' | 'open';
  since: Date;
  openUntil: Date | null;
  inFlight: number;
  revision: string | null;
  lastError: { kind: string; code: string; reason: string; at: Date } | null;
  /** Since when all its calls have failed. Null: they have not, or for a moment only. */
  failingSince: Date | null;
}

/** A worker that reported nothing for this long counts as gone. */
const ROUTE_STATE_TTL_MS = 30_000;

/** Routes (one application at one vendor): the reports of workers, their troubles, and the pages that they hold. */
@Injectable()
export class RoutesRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** Finds the trouble of an application at a vendor. Null if there never was any. */
  async findTrouble({ appId, vendor }: VendorKey): Promise<VendorTrouble | null> {
    const app = parameter(appId);
    const vendorName = parameter(vendor);
    const [found] = await rows<VendorTrouble>(
      this.database,
      sql`SELECT greatest(credentials_failing_since, breaker_open_since) AS "troubledSince", retry_asked_at AS "retryAskedAt",
            trusted_until AS "trustedUntil",
            EXISTS (SELECT 1 FROM quarantined_tokens WHERE app_id = ${app} AND vendor = ${vendorName}) AS "hasDeadTokens",
            worked_revision AS "workedRevision"
          FROM vendor_troubles WHERE app_id = ${app} AND vendor = ${vendorName}`,
    );
    return found ?? null;
  }

  /**
   * Records that a vendor refuses an application's credentials, and sends an event to the webhooks that ask for it.
   * This happens once each time that trouble with the same credentials begins, however many workers notice it. Trouble
   * with credentials that were replaced meanwhile is ignored.
   *
   * @returns true if it was not known before
   */
  async reportFailingCredentials(hold: HoldReport, now: Date): Promise<boolean> {
    const { appId, vendor, code, reason, revision } = hold;
    const app = parameter(appId);
    const vendorName = parameter(vendor);
    const holdCode = parameter(code);
    const holdReason = parameter(reason);
    const moment = parameter(now);
    const credentialsRevision = parameter(revision);
    const event = { type: 'vendor.credentials_failing', data: dataOf(hold, now) } as const;
    const told = await rows(
      this.database,
      sql`WITH begun AS (
            INSERT INTO vendor_troubles AS t (app_id, vendor, credentials_failing_since, credentials_code, credentials_reason,
              credentials_revision)
            SELECT a.app_id, ${vendorName}, ${moment}, ${holdCode}, ${holdReason}, ${credentialsRevision} FROM applications a
            WHERE a.app_id = ${app} AND ${credentialsRevision}::bigint IS NOT DISTINCT FROM (
              SELECT c.revision FROM vendor_credentials c WHERE c.app_id = ${app} AND c.vendor = ${vendorName}
            )
            ON CONFLICT (app_id, vendor) DO UPDATE
            SET credentials_failing_since = ${moment}, credentials_code = ${holdCode},
              credentials_reason = ${holdReason}, credentials_revision = ${credentialsRevision}
            WHERE t.credentials_failing_since IS NULL OR t.credentials_revision IS DISTINCT FROM ${credentialsRevision}::bigint
            RETURNING app_id
          ), told AS (${insertVendorEvents(sql`begun`, event)})
          SELECT 1 FROM begun`,
    );
    return told.length > 0;
  }

  /**
   * Records that calls of an application to a vendor fail, and sends an event to the webhooks that ask for it. This
   * happens once for each outage, however many workers notice it.
   *
   * @returns true if it was not known before
   */
  async reportOpenBreaker(hold: HoldReport, now: Date): Promise<boolean> {
    const { appId, vendor, code, reason } = hold;
    const holdCode = parameter(code);
    const holdReason = parameter(reason);
    const moment = parameter(now);
    const event = { type: 'vendor.breaker_opened', data: dataOf(hold, now) } as const;
    const told = await rows(
      this.database,
      sql`WITH begun AS (
            INSERT INTO vendor_troubles AS t (app_id, vendor, breaker_open_since, breaker_code, breaker_reason)
            SELECT app_id, ${vendor}, ${moment}, ${holdCode}, ${holdReason} FROM applications WHERE app_id = ${appId}
            ON CONFLICT (app_id, vendor) DO UPDATE SET breaker_open_since = ${moment}, breaker_code = ${holdCode},
              breaker_reason = ${holdReason}
            WHERE t.breaker_open_since IS NULL
            RETURNING app_id
          ), told AS (${insertVendorEvents(sql`begun`, event)})
          SELECT 1 FROM begun`,
    );
    return told.length > 0;
  }

  /** Records that a vendor accepted something with these credentials: earlier troubles are over. */
  async reportWorking({ appId, vendor }: VendorKey, revision: string | null): Promise<void> {
    await rows(
      this.database,
      sql`INSERT INTO vendor_troubles (app_id, vendor, worked_revision)
          SELECT app_id, ${vendor}, ${revision} FROM applications WHERE app_id = ${appId}
          ON CONFLICT (app_id, vendor) DO UPDATE SET worked_revision = excluded.worked_revision, ${NO_TROUBLE}`,
    );
  }

  /** Deletes the troubles, because the credentials have changed. */
  async forgetTrouble({ appId, vendor }: VendorKey): Promise<void> {
    await rows(
      this.database,
      sql`UPDATE vendor_troubles SET ${NO_TROUBLE} WHERE app_id = ${appId} AND vendor = ${vendor}`,
    );
  }

  /** Makes every worker try a held route again at once. */
  async askForRetry({ appId, vendor }: VendorKey, now: Date): Promise<void> {
    await rows(
      this.database,
      sql`INSERT INTO vendor_troubles (app_id, vendor, retry_asked_at) VALUES (${appId}, ${vendor}, ${now})
          ON CONFLICT (app_id, vendor) DO UPDATE SET retry_asked_at = excluded.retry_asked_at`,
    );
  }

  /** Stores a worker's view of its routes, in one statement. Routes that it no longer reports are deleted. */
  async reportStates(workerId: string, states: readonly RouteState[], now: Date): Promise<void> {
    const records = states.map(({ lastError, ...state }) => ({
      ...state,
      kind: lastError?.kind,
      code: lastError?.code,
      reason: lastError?.reason,
      errorAt: lastError?.at,
    }));
    const worker = parameter(workerId);
    await rows(
      this.database,
      sql`
        WITH said AS (
          SELECT s."appId" AS app_id, s.vendor, s.breaker, s.since, s."openUntil" AS open_until, s."inFlight" AS in_flight,
            s.revision, s.kind, s.code, s.reason, s."errorAt" AS error_at, s."failingSince" AS failing_since
          FROM json_to_recordset(${JSON.stringify(records)}::json) AS s ("appId" text, vendor text, breaker text,
            since timestamptz, "openUntil" timestamptz, "inFlight" integer, revision bigint, kind text, code text, reason text,
            "errorAt" timestamptz, "failingSince" timestamptz)
        ), forgotten AS (
          DELETE FROM route_states r
          WHERE (r.worker_id = ${worker}
              AND NOT EXISTS (SELECT 1 FROM said WHERE said.app_id = r.app_id AND said.vendor = r.vendor))
            OR r.heartbeat_at < ${new Date(now.getTime() - 10 * ROUTE_STATE_TTL_MS)}
        )
        INSERT INTO route_states (app_id, vendor, worker_id, breaker, since, open_until, in_flight, credentials_revision,
          error_kind, error_code, error_reason, error_at, failing_since, heartbeat_at)
        SELECT said.app_id, vendor, ${worker}, breaker, since, open_until, in_flight, revision, kind, code, reason,
          error_at, failing_since, ${now}
        FROM said JOIN applications a ON a.app_id = said.app_id
        ON CONFLICT (app_id, vendor, worker_id) DO UPDATE
        SET breaker = excluded.breaker, since = excluded.since, open_until = excluded.open_until,
          in_flight = excluded.in_flight, credentials_revision = excluded.credentials_revision,
          error_kind = excluded.error_kind, error_code = excluded.error_code, error_reason = excluded.error_reason,
          error_at = excluded.error_at, failing_since = excluded.failing_since, heartbeat_at = excluded.heartbeat_at`,
    );
  }

  /** Deletes the reports of a worker that stops. */
  async forgetStates(workerId: string): Promise<void> {
    await rows(this.database, sql`DELETE FROM route_states WHERE worker_id = ${workerId}`);
  }

  /**
   * Makes up to `limit` pages of an application that wait for a held route due at once. Pages that wait for a retry, a
   * time or a limit do not change.
   *
   * @returns them, to be enqueued; fewer than `limit` means that no other page waits
   */
  async releasePages(
    appId: string,
    vendor: PushVendor,
    now: Date,
    limit: number,
  ): Promise<Omit<DuePage, 'notBefore'>[]> {
    const released: Omit<DuePage, 'notBefore'>[] = [];
    for (;;) {
      const missing = limit - released.length;
      const held = await this.#findHeld(appId, vendor, now, missing);
      for (const [day, ofDay] of byDay(inLockOrder(held))) released.push(...(await this.#release(day, ofDay, now)));
      // A page that somebody ended meanwhile is missing.
      if (held.length < missing || released.length === limit) return released;
    }
  }

  #findHeld(appId: string, vendor: PushVendor, now: Date, limit: number): Promise<PageKey[]> {
    return rowsPlannedOnce<PageKey>(
      this.database,
      sql`SELECT p.app_id AS "appId", p.message_id AS "messageId", p.id AS "pageId" FROM pages p
          WHERE p.app_id = ${appId} AND p.vendor = ${vendor} AND p.state <> 'finished' AND ${IS_HELD} AND p.not_before > ${now}
          LIMIT ${limit}`,
    );
  }

  #release(day: LedgerDay, held: readonly PageKey[], now: Date): Promise<Omit<DuePage, 'notBefore'>[]> {
    const moment = parameter(now);
    return rowsOfDay<Omit<DuePage, 'notBefore'>>(
      this.database,
      sql`UPDATE ${day.pages} p SET not_before = ${moment}, wake_at = least(p.wake_at, ${moment})
          FROM ${placedPages(held.map((page, place) => ({ ...page, place })))} held
          WHERE p.app_id = held.app_id AND p.message_id = held.message_id AND p.id = held.id AND ${IS_HELD}
          RETURNING p.app_id AS "appId", p.message_id AS "messageId", p.id AS "pageId", p.vendor, p.lane`,
    );
  }

  /**
   * Makes an application's due fallbacks that are held due for another try at once, because the provider may work
   * again.
   */
  async releaseFallbacks(appId: string, now: Date): Promise<void> {
    const moment = parameter(now);
    await rows(
      this.database,
      sql`UPDATE fallbacks SET wake_at = ${moment}
          WHERE app_id = ${appId} AND state = 'waiting' AND wake_at > ${moment} AND due_at <= ${moment}`,
    );
  }

  /** Reads the health of each vendor for which the application has credentials, or of which anything is known. */
  async readHealth(appId: string, now: Date): Promise<VendorHealth[]> {
    const workersSince = new Date(now.getTime() - ROUTE_STATE_TTL_MS);
    const found = await rowsPlannedOnce<VendorHealthRow>(
      this.database,
      vendorHealthStatement(appId, now, workersSince),
    );
    const workers = await rows<WorkerRouteRow>(this.database, workerRoutesStatement(appId, workersSince));
    return found.map((row) =>
      healthOf(
        row,
        workers.filter(({ vendor }) => vendor === row.vendor),
        now,
      ),
    );
  }
}

/** The data of the webhook event about a held route. */
function dataOf({ vendor, code, reason }: HoldReport, now: Date): JsonObject {
  return { vendor, code, reason, since: now.toISOString() };
}
