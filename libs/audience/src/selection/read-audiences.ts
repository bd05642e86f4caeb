import type { DeliveryVendor, DeviceId, PushVendor } from '@postrider/domain';
import { type Executor, parameter, rows, sql } from '@postrider/persistence';
import { type AudienceSelection, type DevicesByVendor, compileMembership } from './audience-selection';
import { compileAudience } from './routing-sql';

/** The devices that a vendor without credentials would reach. */
interface WaitingDevices {
  vendor: PushVendor;
  devices: number;
}

/** How many devices a message would be sent to, in all and by vendor. */
export interface AudienceCount {
  count: number;
  byVendor: DevicesByVendor;
  /** Devices that could be reached if these vendors were connected, most first. They are not in `count`. */
  waiting: WaitingDevices[];
  /** One device of each vendor, for a sample. */
  examples: DeviceId[];
}

/** Counts the reachable devices of an audience by vendor. Reads only. */
export async function countAudience(executor: Executor, selection: AudienceSelection): Promise<AudienceCount> {
  const { routing, membership } = compileAudience(selection);
  // One key for each device: a second one would make the count a third slower.
  const groups = await rows<{ way: string | null; devices: number; example: DeviceId }>(
    executor,
    sql`SELECT coalesce(${routing.vendor}, ${WAITS_FOR} || ${routing.missingVendor}) AS way, count(*)::integer AS devices,
       min(i.id)::text AS example
     FROM installations i ${routing.join} ${membership.join}
     WHERE ${membership.condition}
     GROUP BY 1`,
  );
  const reached = groups.filter(({ way }) => way !== null && !way.startsWith(WAITS_FOR));
  return {
    count: reached.reduce((sum, { devices }) => sum + devices, 0),
    byVendor: Object.fromEntries(reached.map(({ way, devices }) => [way as DeliveryVendor, devices])),
    waiting: waitingOf(groups),
    examples: reached.map(({ example }) => example),
  };
}

/** Before the name of a vendor that a device waits for. */
const WAITS_FOR = 'waits for ';

/** Returns how many devices wait for credentials of their vendor, by vendor, the most first. */
function waitingOf(groups: readonly { way: string | null; devices: number }[]): WaitingDevices[] {
  return groups
    .flatMap(({ way, devices }) =>
      way?.startsWith(WAITS_FOR) ? [{ vendor: way.slice(WAITS_FOR.length) as PushVendor, devices }] : [],
    )
    .toSorted((one, other) => other.devices - one.devices);
}

/** The size of an audience at one moment. */
export interface AudienceMeasure {
  /** Reachable devices. */
  count: number;
  /** The largest `installations.id` at that moment: devices that register later have larger ones. */
  ceiling: string;
}

/** Counts the reachable devices of an audience, as fast as the predicate allows. Reads only. */
export async function measureAudience(executor: Executor, selection: AudienceSelection): Promise<AudienceMeasure> {
  const { app, routing, membership } = compileAudience(selection);
  const [measured] = await rows<AudienceMeasure>(
    executor,
    sql`SELECT count(*)::integer AS count,
       (SELECT coalesce(max(last.id), 0) FROM installations last WHERE last.app_id = ${app})::text AS ceiling
     FROM installations i ${membership.join}
     WHERE ${membership.condition} AND ${routing.isReachable}`,
  );
  if (!measured) throw new Error('A count gave no row');
  return measured;
}

/** One device that a message would be sent to. */
export interface SampledDevice {
  installationId: string;
  userId: string;
  vendor: DeliveryVendor;
}

/**
 * Returns at most `limit` of the reachable devices of an audience. Reads only.
 * @param examples devices of the audience that come first, so that a vendor with few devices is in the sample too
 */
export async function sampleAudience(
  executor: Executor,
  selection: AudienceSelection,
  limit: number,
  examples: readonly DeviceId[] = [],
): Promise<SampledDevice[]> {
  const first = examples.length === 0 ? [] : await sample(executor, selection, limit, examples);
  const known = new Set(first.map(({ installationId }) => installationId));
  const others = first.length >= limit ? [] : await sample(executor, selection, limit, null);
  return [...first, ...others.filter(({ installationId }) => !known.has(installationId))].slice(0, limit);
}

function sample(
  executor: Executor,
  selection: AudienceSelection,
  limit: number,
  among: readonly DeviceId[] | null,
): Promise<SampledDevice[]> {
  const { routing, membership } = compileAudience(selection);
  return rows<SampledDevice>(
    executor,
    sql`SELECT i.installation_id AS "installationId", i.user_id AS "userId", ${routing.vendor} AS vendor
     FROM installations i ${routing.join} ${membership.join}
     WHERE ${membership.condition} AND ${routing.isReachable}
       ${among === null ? sql`` : sql`AND i.id = ANY (${among}::bigint[])`}
     LIMIT ${limit}`,
  );
}

/** The number of devices of an audience. */
export interface MatchCount {
  /** Those that a message would be sent to. */
  count: number;
  /** All of them. */
  devices: number;
}

/** The number of devices of an audience, and why not all are reached. */
interface MatchReport extends MatchCount {
  /** Those that could be reached if these vendors were connected, most first. */
  waiting: WaitingDevices[];
}

/** Counts an audience's devices, and those of them that can be reached, as acceptance counts them. Reads only. */
export async function countMatches(executor: Executor, selection: AudienceSelection): Promise<MatchReport> {
  const { routing, membership } = compileAudience(selection);
  const { isReachable, missingVendor } = routing;
  const groups = await rows<{ way: string | null; devices: number }>(
    executor,
    sql`SELECT CASE WHEN ${isReachable} THEN ${REACHED} ELSE ${WAITS_FOR} || ${missingVendor} END AS way, count(*)::int AS devices
     FROM installations i ${membership.join}
     WHERE ${membership.condition}
     GROUP BY 1`,
  );
  return {
    count: groups.find(({ way }) => way === REACHED)?.devices ?? 0,
    devices: groups.reduce((sum, { devices }) => sum + devices, 0),
    waiting: waitingOf(groups),
  };
}

const REACHED = 'reached';

/** Counts the users of an audience's devices. The statement groups, because PostgreSQL can do that on several cores. */
export async function countUsers(executor: Executor, selection: AudienceSelection): Promise<number> {
  const app = parameter(selection.appId);
  const membership = compileMembership(selection, app);
  const [counted] = await rows<{ users: number }>(
    executor,
    sql`SELECT count(*)::int AS users FROM (
       SELECT 1 FROM installations i ${membership.join} WHERE ${membership.condition} GROUP BY i.user_id
     ) owners`,
  );
  return counted?.users ?? 0;
}

/**
 * Counts the reachable devices of an audience by the time zone that they report; devices without one count under the
 * empty text. Reads only.
 */
export async function countByTimeZone(
  executor: Executor,
  selection: AudienceSelection,
): Promise<ReadonlyMap<string, number>> {
  const { routing, membership } = compileAudience(selection);
  const zones = await rows<{ zone: string; devices: number }>(
    executor,
    sql`SELECT coalesce(i.time_zone, '') AS zone, count(*)::int AS devices
     FROM installations i ${membership.join}
     WHERE ${membership.condition} AND ${routing.isReachable}
     GROUP BY 1`,
  );
  return new Map(zones.map(({ zone, devices }) => [zone, devices]));
}

/** There are about six hundred time zones. Names beyond this limit, which devices have made up, count as no zone. */
const MOST_ZONES = 2_000;

/**
 * Returns the time zones that an application's devices report. It needs one look into an index for each zone, however
 * many devices there are.
 */
export async function listTimeZones(executor: Executor, appId: string): Promise<string[]> {
  const app = parameter(appId);
  const zones = await rows<{ zone: string }>(
    executor,
    sql`WITH RECURSIVE walk AS (
          (SELECT time_zone AS zone FROM installations WHERE app_id = ${app} AND time_zone IS NOT NULL ORDER BY time_zone LIMIT 1)
          UNION ALL
          SELECT (
            SELECT i.time_zone FROM installations i WHERE i.app_id = ${app} AND i.time_zone > walk.zone ORDER BY i.time_zone LIMIT 1
          ) FROM walk WHERE walk.zone IS NOT NULL
        )
        SELECT zone FROM walk WHERE zone IS NOT NULL LIMIT ${MOST_ZONES}`,
  );
  return zones.map(({ zone }) => zone);
}
