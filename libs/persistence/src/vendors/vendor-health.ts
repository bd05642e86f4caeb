import type { CredentialVendor, DeliveryVendor } from '@postrider/domain';
import { parameter, type Sql, sql } from '../sql';

/** One worker's report about a vendor. */
interface WorkerRoute {
  workerId: string;
  state: 'closed' | 'half-open' | 'open';
  since: Date;
  openUntil: Date | null;
  inFlight: number;
  /** Since when all calls have failed. */
  failingSince: Date | null;
  heartbeatAt: Date;
}

/** The health of one vendor for an application. */
export interface VendorHealth {
  vendor: DeliveryVendor | CredentialVendor;
  /**
   * The worst state among the workers. `failing`: all calls fail, and are still made; `unknown`: no worker uses it now.
   */
  state: 'ok' | 'failing' | 'half-open' | 'open' | 'unknown';
  /** Since when it has this state. */
  since: Date | null;
  /** When it is tried again. */
  openUntil: Date | null;
  /** Pages that wait for the route, or for a retry after a failure. At most 10,000 are counted. */
  heldPages: number;
  /** The devices on them. */
  waitingDevices: number;
  hasCredentials: boolean;
  /** The trouble with the credentials. */
  credentials: { since: Date; code: string; reason: string } | null;
  /** The current outage. */
  breaker: { since: Date; code: string; reason: string } | null;
  lastError: { kind: string; code: string; reason: string; at: Date } | null;
  /** Tokens that the vendor calls dead, kept on until the operator decides. `sample`: some of their installations. */
  quarantine: {
    since: Date | null;
    count: number;
    /** The share of dead answers with which the quarantine began. */
    share: number | null;
    /** What was normal before. */
    normalShare: number | null;
    sample: string[];
  } | null;
  /** Tokens that the vendor calls dead and that will be switched off; the first of them at `nextAt`. */
  deadTokens: { count: number; nextAt: Date } | null;
  workers: WorkerRoute[];
}

/** A vendor as `vendorHealthStatement` reads it. */
export type VendorHealthRow = Omit<
  VendorHealth,
  'state' | 'since' | 'openUntil' | 'credentials' | 'breaker' | 'lastError' | 'quarantine' | 'deadTokens' | 'workers'
> & {
  credentialsSince: Date | null;
  credentialsCode: string;
  credentialsReason: string;
  breakerSince: Date | null;
  breakerCode: string;
  breakerReason: string;
  quarantinedSince: Date | null;
  quarantinedShare: number | null;
  quarantinedNormalShare: number | null;
  pending: number;
  nextDueAt: Date | null;
  quarantined: number;
  sample: string[];
};

/** A worker's report as `workerRoutesStatement` reads it. */
export type WorkerRouteRow = WorkerRoute & {
  vendor: string;
  kind: string | null;
  code: string;
  reason: string;
  errorAt: Date | null;
};

/**
 * A condition: the page waits because its route is held. It was claimed, has no attempt that counts, and was given back
 * until a moment, but not by a limit.
 */
export const IS_HELD = sql`p.state = 'waiting' AND p.fence > 0 AND p.first_attempt_at IS NULL AND p.turn_at IS NULL
  AND p.not_before IS NOT NULL`;

/** A condition: devices of the page failed, and wait for a retry. */
const IS_TRIED_AGAIN = sql`(p.state = 'waiting' AND p.attempt > 1 AND p.turn_at IS NULL)`;

/** Reads each vendor for which the application has credentials, or of which anything is known. */
export function vendorHealthStatement(appId: string, now: Date, workersSince: Date): Sql {
  const app = parameter(appId);
  return sql`
    WITH vendors AS (
      SELECT vendor FROM vendor_credentials WHERE app_id = ${app}
      UNION SELECT vendor FROM vendor_troubles WHERE app_id = ${app}
        AND coalesce(credentials_failing_since, breaker_open_since, quarantined_since) IS NOT NULL
      UNION SELECT vendor FROM route_states WHERE app_id = ${app} AND heartbeat_at >= ${workersSince}
      UNION SELECT vendor FROM quarantined_tokens WHERE app_id = ${app}
    )
    SELECT v.vendor, held.pages AS "heldPages", held.devices AS "waitingDevices",
      EXISTS (SELECT 1 FROM vendor_credentials c WHERE c.app_id = ${app} AND c.vendor = v.vendor) AS "hasCredentials",
      t.credentials_failing_since AS "credentialsSince", t.credentials_code AS "credentialsCode",
      t.credentials_reason AS "credentialsReason", t.breaker_open_since AS "breakerSince", t.breaker_code AS "breakerCode",
      t.breaker_reason AS "breakerReason", t.quarantined_since AS "quarantinedSince",
      t.quarantined_share AS "quarantinedShare", t.quarantined_normal_share AS "quarantinedNormalShare",
      dead.quarantined, dead.pending, dead.next_due_at AS "nextDueAt",
      ARRAY(
        SELECT i.installation_id::text FROM quarantined_tokens q JOIN installations i ON i.app_id = ${app}
          AND i.id = q.device_id
        WHERE q.app_id = ${app} AND q.vendor = v.vendor LIMIT 10
      ) AS sample
    FROM vendors v
    LEFT JOIN vendor_troubles t ON t.app_id = ${app} AND t.vendor = v.vendor
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS pages, coalesce(sum(counted.devices), 0)::int AS devices FROM (
        SELECT cardinality(p.device_ids) AS devices FROM pages p
        WHERE p.app_id = ${app} AND p.vendor = v.vendor AND p.state <> 'finished' AND ((${IS_HELD}) OR ${IS_TRIED_AGAIN})
          AND p.not_before > ${now}
        LIMIT 10000
      ) counted
    ) held
    CROSS JOIN LATERAL (
      SELECT (count(*) FILTER (WHERE q.due_at IS NULL))::int AS quarantined, count(q.due_at)::int AS pending,
        min(q.due_at) AS next_due_at
      FROM quarantined_tokens q WHERE q.app_id = ${app} AND q.vendor = v.vendor
    ) dead
    ORDER BY v.vendor`;
}

/** Reads the workers' reports about an application's routes from `workersSince` on. */
export function workerRoutesStatement(appId: string, workersSince: Date): Sql {
  return sql`
    SELECT vendor, worker_id AS "workerId", breaker AS state, since, open_until AS "openUntil",
      in_flight AS "inFlight", failing_since AS "failingSince",
      heartbeat_at AS "heartbeatAt", error_kind AS kind, error_code AS code, error_reason AS reason, error_at AS "errorAt"
    FROM route_states WHERE app_id = ${appId} AND heartbeat_at >= ${workersSince} ORDER BY worker_id`;
}

const SEVERITY = { closed: 0, 'half-open': 1, open: 2 } as const;

/** Combines the rows of one vendor and its workers. */
export function healthOf(row: VendorHealthRow, workers: WorkerRouteRow[], now: Date): VendorHealth {
  const { vendor, heldPages, waitingDevices, hasCredentials, credentialsSince, breakerSince } = row;
  return {
    vendor,
    waitingDevices,
    ...stateOf(worstOf(workers, now)),
    heldPages,
    hasCredentials,
    credentials: credentialsSince && {
      since: credentialsSince,
      code: row.credentialsCode,
      reason: row.credentialsReason,
    },
    breaker: breakerSince && { since: breakerSince, code: row.breakerCode, reason: row.breakerReason },
    lastError: lastErrorOf(workers),
    quarantine: quarantineOf(row),
    deadTokens: deadTokensOf(row),
    workers: workers.map(({ workerId, state, since, openUntil, inFlight, failingSince, heartbeatAt }) => {
      return { workerId, state, since, openUntil, inFlight, failingSince, heartbeatAt };
    }),
  };
}

function stateOf(worst: WorkerRoute | null): Pick<VendorHealth, 'state' | 'since' | 'openUntil'> {
  if (worst === null) return { state: 'unknown', since: null, openUntil: null };
  const { state, since, openUntil, failingSince } = worst;
  if (state !== 'closed') return { state, since, openUntil };
  return failingSince === null
    ? { state: 'ok', since, openUntil }
    : { state: 'failing', since: failingSince, openUntil: null };
}

function lastErrorOf(workers: WorkerRouteRow[]): VendorHealth['lastError'] {
  const [last] = workers
    .filter(({ errorAt }) => errorAt !== null)
    .sort((a, b) => Number(b.errorAt) - Number(a.errorAt));
  return last?.errorAt ? { kind: last.kind ?? '', code: last.code, reason: last.reason, at: last.errorAt } : null;
}

/** While a quarantine is in force, nothing is switched off automatically: all dead tokens are in it. */
function quarantineOf(row: VendorHealthRow): VendorHealth['quarantine'] {
  const { quarantinedSince: since, quarantined, pending, quarantinedShare, quarantinedNormalShare, sample } = row;
  if (since === null && quarantined === 0) return null;
  const count = since === null ? quarantined : quarantined + pending;
  return { since, count, share: quarantinedShare, normalShare: quarantinedNormalShare, sample };
}

function deadTokensOf({ quarantinedSince, pending, nextDueAt }: VendorHealthRow): VendorHealth['deadTokens'] {
  return quarantinedSince === null && nextDueAt !== null ? { count: pending, nextAt: nextDueAt } : null;
}

function worstOf(workers: WorkerRouteRow[], now: Date): WorkerRoute | null {
  const worst = [...workers].sort(
    (a, b) =>
      SEVERITY[b.state] - SEVERITY[a.state] ||
      Number(a.failingSince ?? Infinity) - Number(b.failingSince ?? Infinity) ||
      Number(a.since) - Number(b.since),
  )[0];
  if (worst === undefined) return null;
  // A breaker notices that its time is over only with the next page.
  const isOver = worst.state === 'open' && worst.openUntil !== null && worst.openUntil <= now;
  return isOver ? { ...worst, state: 'half-open' } : worst;
}
