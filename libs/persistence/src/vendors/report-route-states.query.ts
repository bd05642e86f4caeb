import type { CredentialVendor, DeliveryVendor } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';

/** What a worker knows of one application at one vendor. */
export interface RouteState {
  appId: string;
  vendor: DeliveryVendor | CredentialVendor;
  breaker: 'closed' | 'half-open' | 'open';
  since: Date;
  openUntil: Date | null;
  inFlight: number;
  revision: string | null;
  lastError: { kind: string; code: string; reason: string; at: Date } | null;
  /** Since when its calls have brought nothing but trouble; null: they have not, or for a moment only. */
  failingSince: Date | null;
}

/** A worker that said nothing for this long is gone. */
export const ROUTE_STATE_TTL_MS = 30_000;

/** Says what a worker knows of its routes, all of them in one statement; what it says no more about is forgotten. */
export async function reportRouteStates(
  executor: Executor,
  workerId: string,
  states: readonly RouteState[],
  now: Date,
): Promise<void> {
  const records = states.map(({ lastError, ...state }) => ({
    ...state,
    kind: lastError?.kind,
    code: lastError?.code,
    reason: lastError?.reason,
    errorAt: lastError?.at,
  }));
  await rows(executor, REPORT, [
    workerId,
    JSON.stringify(records),
    now,
    new Date(now.getTime() - 10 * ROUTE_STATE_TTL_MS),
  ]);
}

/** Forgets what a worker said: it ends. */
export async function forgetRouteStates(executor: Executor, workerId: string): Promise<void> {
  await rows(executor, `DELETE FROM route_states WHERE worker_id = $1`, [workerId]);
}

const REPORT = `
  WITH said AS (
    SELECT s."appId" AS app_id, s.vendor, s.breaker, s.since, s."openUntil" AS open_until, s."inFlight" AS in_flight,
      s.revision, s.kind, s.code, s.reason, s."errorAt" AS error_at, s."failingSince" AS failing_since
    FROM json_to_recordset($2::json) AS s ("appId" text, vendor text, breaker text, since timestamptz,
      "openUntil" timestamptz, "inFlight" integer, revision bigint, kind text, code text, reason text,
      "errorAt" timestamptz, "failingSince" timestamptz)
  ), forgotten AS (
    DELETE FROM route_states r
    WHERE (r.worker_id = $1 AND NOT EXISTS (SELECT 1 FROM said WHERE said.app_id = r.app_id AND said.vendor = r.vendor))
      OR r.heartbeat_at < $4
  )
  INSERT INTO route_states (app_id, vendor, worker_id, breaker, since, open_until, in_flight, credentials_revision,
    error_kind, error_code, error_reason, error_at, failing_since, heartbeat_at)
  SELECT said.app_id, vendor, $1, breaker, since, open_until, in_flight, revision, kind, code, reason, error_at,
    failing_since, $3
  FROM said JOIN applications a ON a.app_id = said.app_id
  ON CONFLICT (app_id, vendor, worker_id) DO UPDATE
  SET breaker = excluded.breaker, since = excluded.since, open_until = excluded.open_until,
    in_flight = excluded.in_flight, credentials_revision = excluded.credentials_revision,
    error_kind = excluded.error_kind, error_code = excluded.error_code, error_reason = excluded.error_reason,
    error_at = excluded.error_at, failing_since = excluded.failing_since, heartbeat_at = excluded.heartbeat_at`;
